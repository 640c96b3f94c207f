import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CompactedError, type Store } from '../store.ts'
import { encode, keysOf, line, pods, put, remove, type StoreFixture, textOf, texts, withDirectory, withStore } from './fixture.ts'

const nodes = 'root/~/nodes/'

export function describeHistory(fixture: StoreFixture): void {
  describe('history', () => {
    it('tells changes with the state before', async () => {
      const expected = [
        `2 created ${pods}a/one: 1`,
        `3 modified ${pods}a/one: 2 (was 1 of 2)`,
        `4 deleted ${pods}a/one: deleted (was 2 of 3)`,
        `5 created ${pods}a/one: 3`,
        ...Array.from({ length: 300 }, (_, index) => `${index + 6} modified ${pods}a/one: ${index + 4} (was ${index + 3} of ${index + 5})`),
      ]
      await withStore(fixture, async (store) => {
        await put(store, `${pods}a/one`, '1')
        await put(store, `${pods}a/one`, '2')
        await remove(store, `${pods}a/one`)
        await Promise.all(Array.from({ length: 301 }, (_, index) => put(store, `${pods}a/one`, String(index + 3))))
        for (const after of [0, 1, 2, 4, 150, 290, 302, 304, 305, 999]) {
          assert.deepEqual([...store.changes(after)].map(line), expected.slice(Math.max(0, after - 1)), `after ${after}`)
        }
        assert.deepEqual([...store.changes(2, { limit: 2 })].map(line), expected.slice(1, 3))
        assert.deepEqual([...store.changes(2, { limit: 0 })], [])
      })
    })

    it('tells changes of one resource, of those before the store was opened too', async () => {
      const written = (index: number): string => (index % 3 === 0 ? `${nodes}~/one` : `${pods}a/one`)
      const expected = Array.from({ length: 40 }, (_, index) => index + 2).filter((revision) => written(revision).startsWith(nodes))
      await withDirectory(async (directory) => {
        let store = await fixture.open(directory)
        for (let revision = 2; revision <= 41; revision++) {
          if (revision === 22 && fixture.isDurable) {
            await store.close()
            store = await fixture.open(directory)
          }
          await put(store, written(revision), String(revision))
        }
        const told = (after: number, limit = Infinity) =>
          Array.from(store.changes(after, { resource: nodes, limit }), ({ revision }) => revision)
        const behind = (after: number) => expected.filter((revision) => revision > after)
        for (const after of [0, 1, 2, 10, 20, 21, 22, 30, 41, 99]) assert.deepEqual(told(after), behind(after), `after ${after}`)
        assert.deepEqual(told(1, 3), expected.slice(0, 3))
        await store.compact(25)
        assert.throws(() => told(24), CompactedError)
        assert.deepEqual(told(25), behind(25))
        await store.close()
      })
    })

    it('shows the state at an exact revision', async () => {
      await withStore(fixture, async (store) => {
        await put(store, `${pods}a/kept`, 'kept')
        await put(store, `${pods}a/changed`, 'old')
        await put(store, `${pods}b/deleted`, 'there')
        const revision = store.revision()
        for (let index = 0; index < 20; index++) {
          await put(store, `${pods}a/changed`, `new ${index}`)
          await put(store, `${pods}a/created`, 'new')
          if (store.get(`${pods}b/deleted`) !== undefined) await remove(store, `${pods}b/deleted`)
          await put(store, `root/~/other/a/${index}`, 'other')
        }
        const snapshot = store.snapshot(revision)
        assert.equal(snapshot.revision, revision)
        const state = [`${pods}a/changed=old`, `${pods}a/kept=kept`, `${pods}b/deleted=there`]
        for (const prefix of ['', 'root/', 'root/~/po', pods]) assert.deepEqual(texts(snapshot.scan(prefix)), state, prefix)
        assert.deepEqual(texts(snapshot.scan(`${pods}a/`)), state.slice(0, 2))
        assert.deepEqual(texts(snapshot.scan(pods, { after: `${pods}a/changed`, limit: 1 })), state.slice(1, 2))
        assert.deepEqual(texts(snapshot.scan(pods, { limit: 0 })), [])
        assert.deepEqual(texts(snapshot.scan('root/~/other/')), [])
        assert.equal(textOf(snapshot.get(`${pods}b/deleted`)), 'there')
        assert.equal(snapshot.get(`${pods}a/created`), undefined)
        assert.equal(textOf(snapshot.get(`${pods}a/kept`)), 'kept')
        snapshot.close()
        snapshot.close()
        assert.throws(() => snapshot.get('x'), /this snapshot is closed/)
      })
    })

    it('keeps the pages of one revision consistent while writes go on', async () => {
      await withStore(fixture, async (store) => {
        const names = Array.from({ length: 40 }, (_, index) => `${pods}a/${index + 10}`)
        for (const name of names) await put(store, name, 'old')
        const revision = store.revision()
        const seen: string[] = []
        for (let page = 0; page < 10; page++) {
          const snapshot = store.snapshot(revision)
          const after = keysOf([...snapshot.scan(pods, { limit: seen.length })]).at(-1)
          seen.push(...texts(snapshot.scan(pods, { limit: 4, ...(after === undefined ? {} : { after }) })))
          snapshot.close()
          const name = names[page * 4 + 2] ?? ''
          await put(store, name, 'new')
          await put(store, `${pods}a/${page}`, 'new')
          await remove(store, names[39 - page] ?? '')
        }
        assert.deepEqual(
          seen,
          names.map((name) => `${name}=old`),
        )
      })
    })

    it('keeps two snapshots of one revision apart from what happens between them', () =>
      withStore(fixture, async (store) => {
        await put(store, `${pods}a/one`, 'old')
        const revision = store.revision()
        const first = store.snapshot(revision)
        await put(store, `${pods}a/one`, 'new')
        const second = store.snapshot(revision)
        assert.deepEqual(texts(second.scan(pods)), [`${pods}a/one=old`])
        await put(store, `${pods}a/two`, 'new')
        const third = store.snapshot(revision)
        assert.deepEqual(texts(third.scan(pods)), [`${pods}a/one=old`])
        assert.deepEqual(texts(second.scan(pods)), [`${pods}a/one=old`])
        assert.deepEqual(texts(first.scan(pods)), [`${pods}a/one=old`])
        for (const snapshot of [first, second, third]) snapshot.close()
      }))

    it('forgets what compaction takes, and only that', () =>
      withStore(fixture, async (store) => {
        for (let index = 2; index <= 10; index++) await put(store, `${pods}a/one`, String(index))
        assert.equal(store.compacted(), 0)
        await store.compact(6)
        assert.equal(store.compacted(), 6)
        assert.throws(() => store.snapshot(5), { name: 'CompactedError', requested: 5, compacted: 6 })
        assert.throws(() => store.changes(5), CompactedError)
        assert.deepEqual(
          Array.from(store.changes(6), ({ revision }) => revision),
          [7, 8, 9, 10],
        )
        assert.deepEqual(texts(readAt(store, 6)), [`${pods}a/one=6`])
        await store.compact(3)
        assert.equal(store.compacted(), 6)
        await store.compact(99)
        assert.equal(store.compacted(), 10)
        assert.deepEqual([...store.changes(10)], [])
        assert.deepEqual(texts(readAt(store, 10)), [`${pods}a/one=10`])
        assert.throws(() => store.snapshot(11), RangeError)
        assert.equal((await put(store, `${pods}a/one`, '11')).revision, 11)
        assert.deepEqual(texts(readAt(store, 10)), [`${pods}a/one=10`])
      }))

    it('keeps an open snapshot whole when compaction overtakes it', () =>
      withStore(fixture, async (store) => {
        await put(store, `${pods}a/one`, 'old')
        await put(store, `${pods}a/two`, 'old')
        const revision = store.revision()
        for (let index = 0; index < 10; index++) await put(store, `${pods}a/one`, 'new')
        const snapshot = store.snapshot(revision)
        await remove(store, `${pods}a/two`)
        await store.compact(store.revision())
        assert.deepEqual(texts(snapshot.scan(pods)), [`${pods}a/one=old`, `${pods}a/two=old`])
        snapshot.close()
      }))

    it('ends a slow reader of changes when compaction overtakes it', () =>
      withStore(fixture, async (store) => {
        for (let index = 0; index < 400; index++) await put(store, `${pods}a/one`, String(index))
        const reader = store.changes(1)[Symbol.iterator]()
        assert.equal(reader.next().value?.revision, 2)
        await store.compact(350)
        assert.throws(() => {
          while (reader.next().done !== true);
        }, CompactedError)
      }))

    it('compacts in steps between which writes go on', () =>
      withStore(fixture, async (store) => {
        await store.write((transaction) => {
          for (let index = 0; index < 1800; index++) transaction.put(`${pods}a/one`, encode(String(index)))
        })
        const until = store.revision()
        const events: string[] = []
        const compacting = store.compact(until).then(() => events.push('compacted'))
        await put(store, `${pods}a/two`)
        events.push('written')
        await compacting
        assert.deepEqual(events, ['written', 'compacted'])
        assert.equal(store.compacted(), until)
        assert.deepEqual(keysOf(store.changes(until)), [`${pods}a/two`])
      }))
  })
}

function readAt(store: Store, revision: number): Iterable<{ readonly key: string; readonly revision: number; readonly bytes: Buffer }> {
  const snapshot = store.snapshot(revision)
  try {
    return [...snapshot.scan('')]
  } finally {
    snapshot.close()
  }
}
