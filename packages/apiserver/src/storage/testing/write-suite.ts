import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Change, Transaction } from '../store.ts'
import { encode, keysOf, line, pods, put, remove, revisionIn, type StoreFixture, textOf, withStore } from './fixture.ts'

export function describeWrites(fixture: StoreFixture): void {
  describe('writing', () => {
    it('starts at revision 1, and each put and delete takes the next', () =>
      withStore(fixture, async (store) => {
        assert.equal(store.revision(), 1)
        const revisions = await store.write((transaction) => [
          transaction.put(`${pods}a/one`, encode('1')).revision,
          transaction.put(`${pods}a/two`, encode('2')).revision,
          transaction.put(`${pods}a/one`, encode('3')).revision,
          transaction.delete(`${pods}a/two`, encode('4')).revision,
        ])
        assert.deepEqual(revisions, [2, 3, 4, 5])
        assert.equal(store.revision(), 5)
        assert.deepEqual(keysOf(store.scan('')), [`${pods}a/one`])
      }))

    it('gives the revision to what makes the bytes', () =>
      withStore(fixture, async (store) => {
        const entry = await put(store, `${pods}a/one`, 'x')
        assert.equal(revisionIn(entry), entry.revision)
        assert.deepEqual(store.get(`${pods}a/one`), entry)
      }))

    it('sees its own changes and those of all writes before it, durable or not', () =>
      withStore(fixture, async (store) => {
        const seen: (string | undefined)[] = []
        const look = (transaction: Transaction): number => seen.push(textOf(transaction.get(`${pods}a/one`)))
        await Promise.all([
          store.write((transaction) => {
            look(transaction)
            transaction.put(`${pods}a/one`, encode('first'))
            look(transaction)
          }),
          store.write((transaction) => {
            look(transaction)
            transaction.delete(`${pods}a/one`, encode('gone'))
            look(transaction)
          }),
          store.write(look),
        ])
        assert.deepEqual(seen, [undefined, 'first', 'first', undefined, undefined])
      }))

    it('sees what became of an entry that it has looked at before, and the same reference when nothing did', () =>
      withStore(fixture, async (store) => {
        const key = `${pods}a/one`
        const look = () => store.write((transaction) => transaction.get(key))
        await put(store, key, 'first')
        const first = await look()
        assert.equal(textOf(first), 'first')
        assert.equal(await look(), first)
        await put(store, `${pods}a/other`, 'x'.repeat(5000))
        assert.equal(await look(), first)
        await put(store, key, 'second')
        assert.equal(textOf(await look()), 'second')
        await remove(store, key)
        assert.equal(await look(), undefined)
        await put(store, key, 'third')
        assert.equal(textOf(await look()), 'third')
      }))

    it('takes text for bytes', () =>
      withStore(fixture, async (store) => {
        const entry = await store.write((transaction) => transaction.put(`${pods}a/one`, (revision) => `{"é":"${revision}"}`))
        assert.equal(entry.bytes.toString(), '{"é":"2"}')
        assert.deepEqual(store.get(`${pods}a/one`), entry)
        assert.deepEqual(
          Array.from(store.changes(1), ({ bytes }) => bytes.toString()),
          ['{"é":"2"}'],
        )
      }))

    it('runs the change at once, one after the other, in the order of the calls', () =>
      withStore(fixture, async (store) => {
        const order: string[] = []
        const one = store.write(() => order.push('one'))
        order.push('between')
        const two = store.write(() => order.push('two'))
        assert.deepEqual(order, ['one', 'between', 'two'])
        await Promise.all([one, two])
      }))

    it('leaves no trace of a change that throws, and takes no revision for it', () =>
      withStore(fixture, async (store) => {
        await put(store, `${pods}a/one`, 'before', ['index'])
        const problem = new Error('no')
        const failing = store.write((transaction) => {
          transaction.put(`${pods}a/one`, encode('half'))
          transaction.put(`${pods}a/two`, encode('half'))
          transaction.delete(`${pods}a/one`, encode('half'))
          throw problem
        })
        const next = put(store, `${pods}a/three`)
        await assert.rejects(failing, (error) => error === problem)
        assert.equal((await next).revision, 3)
        assert.equal(textOf(store.get(`${pods}a/one`)), 'before')
        assert.equal(store.get(`${pods}a/two`), undefined)
        assert.deepEqual([...store.indexed('')], [{ index: 'index', key: `${pods}a/one` }])
        assert.deepEqual(keysOf(store.changes(2)), [`${pods}a/three`])
      }))

    it('takes no revision for bytes that could not be made, even when the change goes on', () =>
      withStore(fixture, async (store) => {
        const { revision } = await store.write((transaction) => {
          assert.throws(() => transaction.put(`${pods}a/one`, tooLarge), /too large/)
          return transaction.put(`${pods}a/two`, encode(''))
        })
        assert.equal(revision, 2)
        assert.deepEqual(keysOf(store.scan('')), [`${pods}a/two`])
      }))

    it('shows nothing to readers and subscribers before it is durable', () =>
      withStore(fixture, async (store) => {
        await put(store, `${pods}a/old`, 'old')
        const told: string[] = []
        store.subscribe((changes) => told.push(...changes.map(line)))
        const writing = store.write((transaction) => {
          transaction.put(`${pods}a/new`, encode('new'), ['index'])
          transaction.delete(`${pods}a/old`, encode('gone'))
        })
        assert.equal(store.revision(), 2)
        assert.equal(store.get(`${pods}a/new`), undefined)
        assert.deepEqual(keysOf(store.scan(pods)), [`${pods}a/old`])
        assert.equal(store.count(`${pods}a/`), 1)
        assert.deepEqual([...store.indexed('')], [])
        assert.deepEqual([...store.changes(2)], [])
        assert.deepEqual(told, [])
        await writing
        assert.equal(store.revision(), 4)
        assert.deepEqual(told, [`3 created ${pods}a/new: new`, `4 deleted ${pods}a/old: gone (was old of 2)`])
        assert.deepEqual(keysOf(store.scan(pods)), [`${pods}a/new`])
      }))

    it('tells subscribers every change once, in order, when readers can see it', () =>
      withStore(fixture, async (store) => {
        const told: Change[] = []
        const stop = store.subscribe((changes) => {
          told.push(...changes)
          assert.equal(store.revision(), changes.at(-1)?.revision)
        })
        await Promise.all(Array.from({ length: 50 }, (_, index) => put(store, `${pods}a/${index % 7}`, String(index))))
        stop()
        await put(store, `${pods}a/later`)
        assert.deepEqual(
          told.map(({ revision }) => revision),
          Array.from({ length: 50 }, (_, index) => index + 2),
        )
        assert.deepEqual(told, [...store.changes(1, { limit: 50 })])
      }))

    it('lets a change that writes nothing, or refuses, wait until what it could have read is durable', () =>
      withStore(fixture, async (store) => {
        const writing = put(store, `${pods}a/one`)
        const reading = store.write((transaction) => transaction.get(`${pods}a/one`)?.revision)
        const refusing = store.write((transaction) => {
          if (transaction.get(`${pods}a/one`) !== undefined) throw new Error('already exists')
        })
        assert.equal(await reading, 2)
        assert.equal(store.revision(), 2)
        await assert.rejects(refusing, /already exists/)
        await writing
        assert.equal(await store.write((transaction) => transaction.get(`${pods}a/one`)?.revision), 2)
      }))

    it('refuses what would break the order of writes', () =>
      withStore(fixture, async (store) => {
        let kept: Transaction | undefined
        await store.write((transaction) => {
          kept = transaction
        })
        assert.throws(() => kept?.put(`${pods}a/late`, encode('')), /this write is over/)
        await store.write(async (transaction) => {
          transaction.put(`${pods}a/one`, encode(''))
          await assert.rejects(put(store, `${pods}a/inner`), /a write inside a write/)
        })
        await assert.rejects(
          store.write((transaction) =>
            transaction.put(`${pods}a/outer`, (revision) => {
              transaction.put(`${pods}a/inner`, encode(''))
              return encode('')(revision)
            }),
          ),
          /inside `encode`/,
        )
        await assert.rejects(remove(store, `${pods}a/missing`), /there is no root\/~\/pods\/a\/missing to delete/)
        assert.deepEqual(keysOf(store.scan('')), [`${pods}a/one`])
      }))

    it('takes long keys and large objects, and refuses keys that are too long', () =>
      withStore(fixture, async (store) => {
        const long = `${pods}a/${'n'.repeat(1024 - pods.length - 2)}`
        const large = 'x'.repeat(1_500_000)
        await put(store, long, large, ['i'.repeat(5000)])
        await put(store, long, `${large}!`, ['i'.repeat(5000)])
        assert.equal(textOf(store.get(long)), `${large}!`)
        assert.deepEqual([...store.changes(2)].map(line), [`3 modified ${long}: ${large}! (was ${large} of 2)`])
        await assert.rejects(put(store, `${long}n`), /has 1025 bytes: 1024 are allowed/)
        await assert.rejects(put(store, ''), RangeError)
        await assert.rejects(put(store, 'a\0b'), RangeError)
        assert.equal(store.revision(), 3)
      }))
  })
}

function tooLarge(): Buffer {
  throw new Error('too large')
}
