import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Arena } from '../arena.ts'
import { encode, keysOf, pods, put, remove, type StoreFixture, textOf, withStore } from './fixture.ts'

export function describeReads(fixture: StoreFixture): void {
  describe('reading', () => {
    const odd = ['a~', 'a-b', 'a.b', 'a', 'a/b', 'A', 'ab', 'é', 'z', '\u{1f4a5}', '\uffee', '~', '-', '.', '0'].map(
      (name) => `${pods}ns/${name}`,
    )

    it('orders keys by their UTF-8 bytes', () =>
      withStore(fixture, async (store) => {
        await store.write((transaction) => {
          for (const key of odd) transaction.put(key, encode(key))
        })
        const expected = odd.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        assert.deepEqual(keysOf(store.scan(pods)), expected)
        assert.deepEqual(
          Array.from(store.scan(pods), (entry) => textOf(entry)),
          expected,
        )
        const snapshot = store.snapshot(store.revision())
        await put(store, `${pods}ns/b`)
        assert.deepEqual(keysOf(snapshot.scan(pods)), expected)
        snapshot.close()
      }))

    it('starts behind a key, there or not, and stops at the limit', () =>
      withStore(fixture, async (store) => {
        await store.write((transaction) => {
          for (const key of odd) transaction.put(key, encode(''))
        })
        const all = keysOf(store.scan(pods))
        for (const [index, after] of all.entries()) {
          assert.deepEqual(keysOf(store.scan(pods, { after, limit: 3 })), all.slice(index + 1, index + 4))
        }
        assert.deepEqual(keysOf(store.scan(pods, { after: `${pods}ns/a.` })), all.slice(all.indexOf(`${pods}ns/a.b`)))
        assert.deepEqual(keysOf(store.scan(pods, { after: '' })), all)
        assert.deepEqual(keysOf(store.scan(pods, { after: 'zzz' })), [])
        assert.deepEqual(keysOf(store.scan(pods, { limit: 0 })), [])
      }))

    it('reads the same into memory that is used again', () =>
      withStore(fixture, async (store) => {
        await store.write((transaction) => {
          for (const key of odd) transaction.put(key, encode(key))
        })
        const arena = new Arena()
        const whole = Array.from(store.scan(pods), textOf)
        for (let round = 0; round < 2; round++) {
          arena.reset()
          assert.deepEqual(Array.from(store.scan(pods, { arena }), textOf), whole)
        }
        const [first] = store.scan(pods, { limit: 1 })
        arena.reset()
        Array.from(store.scan(pods, { arena, after: first?.key ?? '' }))
        assert.deepEqual(Array.from(store.scan(pods), textOf), whole, 'what is stored was overwritten')
      }))

    it('finds the keys that start with a prefix, and no others', () =>
      withStore(fixture, async (store) => {
        const keys = ['root/~/pods/a/x', 'root/~/pods/ab/x', 'root/~/podsets/a/x', 'root/apps/pods/a/x', 'root2/~/pods/a/x']
        for (const key of keys) await put(store, key)
        assert.deepEqual(keysOf(store.scan('root/~/pods/')), ['root/~/pods/a/x', 'root/~/pods/ab/x'])
        assert.deepEqual(keysOf(store.scan('root/~/pods/a/')), ['root/~/pods/a/x'])
        assert.deepEqual(keysOf(store.scan('root/')), ['root/apps/pods/a/x', 'root/~/pods/a/x', 'root/~/pods/ab/x', 'root/~/podsets/a/x'])
        assert.deepEqual(keysOf(store.scan('none/')), [])
      }))

    it('finds nothing for what can be no key', () =>
      withStore(fixture, async (store) => {
        await put(store, `${pods}a/one`)
        for (const key of ['', 'x'.repeat(2000), 'é'.repeat(5000)]) {
          assert.equal(store.get(key), undefined)
          assert.equal(await store.write((transaction) => transaction.get(key)), undefined)
          assert.deepEqual(keysOf(store.scan(pods, { after: pods + key })), [`${pods}a/one`].slice(key === '' ? 0 : 1))
          assert.deepEqual([...store.indexed(`i${key}`, { after: `i${key}\0${key}` })], [])
        }
        assert.deepEqual(keysOf(store.scan('x'.repeat(5000))), [])
        assert.equal(store.count('x'.repeat(5000)), 0)
      }))

    it('shows one state in a scan, however long it takes', () =>
      withStore(fixture, async (store) => {
        await store.write((transaction) => {
          for (let index = 100; index < 700; index++) transaction.put(`${pods}a/${index}`, encode('old'))
        })
        const seen: (string | undefined)[] = []
        for (const entry of store.scan(pods)) {
          seen.push(textOf(entry))
          if (seen.length === 1) {
            await store.write((transaction) => {
              for (let index = 100; index < 700; index += 2) transaction.put(`${pods}a/${index}`, encode('new'))
              for (let index = 101; index < 700; index += 2) transaction.delete(`${pods}a/${index}`, encode(''))
              transaction.put(`${pods}a/900`, encode('new'))
            })
          }
        }
        assert.deepEqual([...new Set(seen)], ['old'])
        assert.equal(seen.length, 600)
      }))

    it('gives bytes that later reads and writes leave alone', () =>
      withStore(fixture, async (store) => {
        await put(store, `${pods}a/one`, 'one '.repeat(100))
        await put(store, `${pods}a/two`, 'two '.repeat(100))
        const one = store.get(`${pods}a/one`)
        const [scanned] = store.scan(pods)
        for (let index = 0; index < 40; index++) {
          await put(store, `${pods}a/${index % 2 === 0 ? 'one' : 'two'}`, String(index).repeat(100))
          store.get(`${pods}a/two`)
        }
        assert.equal(textOf(one), 'one '.repeat(100))
        assert.equal(textOf(scanned), 'one '.repeat(100))
      }))

    it('counts what starts with a prefix', () =>
      withStore(fixture, async (store) => {
        const names = ['a/one', 'a/two', 'b/one', 'b/three/four', 'ab/x']
        for (const name of names) await put(store, pods + name)
        await put(store, `${pods}a/one`, 'again')
        await remove(store, `${pods}b/one`)
        await put(store, 'root/~/podsets/a/one')
        await put(store, 'root/~/odd')
        await put(store, 'root/~/pods/')
        for (const prefix of [
          '',
          'root/',
          'root/~/',
          'root/~/pods',
          pods,
          `${pods}a`,
          `${pods}a/`,
          `${pods}b/`,
          `${pods}b/three/`,
          `${pods}none/`,
          'x',
        ]) {
          assert.equal(store.count(prefix), [...store.scan(prefix)].length, prefix)
        }
        assert.equal(store.count(pods), 5)
      }))

    it('keeps the secondary index as objects change', () =>
      withStore(fixture, async (store) => {
        const found = (prefix: string): readonly string[] => Array.from(store.indexed(prefix), ({ index, key }) => `${index} ${key}`)
        await put(store, 'p/1', '', ['owner/a', 'owner/b', 'expires/5'])
        await put(store, 'p/2', '', ['owner/a', 'owner/a'])
        assert.deepEqual(found('owner/'), ['owner/a p/1', 'owner/a p/2', 'owner/b p/1'])
        assert.deepEqual(found('owner/a'), ['owner/a p/1', 'owner/a p/2'])
        await put(store, 'p/1', '', ['owner/b', 'owner/c'])
        assert.deepEqual(found(''), ['owner/a p/2', 'owner/b p/1', 'owner/c p/1'])
        await store.write((transaction) => {
          transaction.put('p/2', encode(''), [])
          transaction.put('p/2', encode(''), ['owner/a'])
          transaction.delete('p/1', encode(''))
          transaction.put('p/1', encode(''), ['owner/c'])
        })
        assert.deepEqual(found(''), ['owner/a p/2', 'owner/c p/1'])
        await remove(store, 'p/2')
        await put(store, 'p/1')
        assert.deepEqual(found(''), [])
      }))

    it('pages through the index, also where entries are longer than a key may be', () =>
      withStore(fixture, async (store) => {
        const long = 'é'.repeat(2000)
        await put(store, 'p/1', '', ['x/1', `x/${long}1`, `x/${long}2`])
        await put(store, 'p/2', '', ['x/1', 'x/2', `x/${long}1`])
        const all = [...store.indexed('x/')]
        assert.equal(all.length, 6)
        const paged = []
        for (let after = ''; ;) {
          const [entry] = store.indexed('x/', { after, limit: 1 })
          if (entry === undefined) break
          paged.push(entry)
          after = `${entry.index}\0${entry.key}`
        }
        assert.deepEqual(paged, all)
        assert.deepEqual(keysOf(store.indexed(`x/${long}1`)), ['p/1', 'p/2'])
        assert.deepEqual(keysOf(store.indexed(`x/${long}2`)), ['p/1'])
        await put(store, 'p/1')
        assert.deepEqual(keysOf(store.indexed('x/')), ['p/2', 'p/2', 'p/2'])
      }))
  })
}
