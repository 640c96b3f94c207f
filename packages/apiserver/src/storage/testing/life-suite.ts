import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreError } from '../store.ts'
import { encode, keysOf, line, pods, put, remove, type StoreFixture, texts, withDirectory, withStore } from './fixture.ts'

export function describeLife(fixture: StoreFixture): void {
  describe('opening and closing', () => {
    it('finishes running writes before it closes, and refuses everything after', () =>
      withStore(fixture, async (store) => {
        await put(store, `${pods}a/one`)
        const snapshot = store.snapshot(2)
        const scan = store.scan('')[Symbol.iterator]()
        scan.next()
        const writing = put(store, `${pods}a/two`)
        const closing = store.close()
        assert.equal((await writing).revision, 3)
        await closing
        await store.close()
        await assert.rejects(put(store, `${pods}a/three`), StoreError)
        assert.throws(() => store.get(`${pods}a/one`), StoreError)
        assert.throws(() => store.scan(''), /is closed: open it again/)
        snapshot.close()
        scan.return?.()
      }))

    it('stops a compaction when it closes', () =>
      withStore(fixture, async (store) => {
        await store.write((transaction) => {
          for (let index = 0; index < 1500; index++) transaction.put(`${pods}a/one`, encode(''))
        })
        const compacting = store.compact(1400)
        await store.close()
        await compacting
      }))

    if (!fixture.isDurable) return

    it('finds everything again', () =>
      withDirectory(async (directory) => {
        const first = await fixture.open(directory)
        await put(first, `${pods}a/one`, '1', ['owner/x'])
        await put(first, `${pods}b/two`, '1', ['owner/x'])
        await put(first, `${pods}b/two`, '2', ['owner/y'])
        await put(first, `${pods}b/three`, '1')
        await remove(first, `${pods}a/one`)
        await first.compact(2)
        const told = [...first.changes(2)].map(line)
        await first.close()

        const second = await fixture.open(directory)
        assert.equal(second.revision(), 6)
        assert.equal(second.compacted(), 2)
        assert.deepEqual(texts(second.scan('')), [`${pods}b/three=1`, `${pods}b/two=2`])
        assert.equal(second.count(pods), 2)
        assert.equal(second.count(`${pods}a/`), 0)
        assert.deepEqual([...second.indexed('')], [{ index: 'owner/y', key: `${pods}b/two` }])
        assert.deepEqual([...second.changes(2)].map(line), told)
        assert.equal((await put(second, `${pods}a/one`, 'again')).revision, 7)
        const snapshot = second.snapshot(3)
        assert.deepEqual(texts(snapshot.scan(pods)), [`${pods}a/one=1`, `${pods}b/two=1`])
        snapshot.close()
        await second.close()
      }))

    it('never gives out a revision twice, even when compaction has taken the whole log', () =>
      withDirectory(async (directory) => {
        const first = await fixture.open(directory)
        for (let index = 0; index < 5; index++) await put(first, `${pods}a/one`)
        await remove(first, `${pods}a/one`)
        await first.compact(first.revision())
        await first.close()
        const second = await fixture.open(directory)
        assert.equal(second.revision(), 7)
        assert.equal((await put(second, `${pods}a/one`)).revision, 8)
        await second.close()
      }))

    it('opens an empty store that was closed before the first write', () =>
      withDirectory(async (directory) => {
        await (await fixture.open(directory)).close()
        const store = await fixture.open(directory)
        assert.equal(store.revision(), 1)
        assert.deepEqual(keysOf(store.scan('')), [])
        await store.close()
      }))

    it('says who uses a directory that is in use, and lets go of it when closed', () =>
      withDirectory(async (directory) => {
        const store = await fixture.open(directory)
        await assert.rejects(fixture.open(directory), {
          name: 'StoreError',
          message: `the data directory ${directory} is in use by process ${process.pid}: stop that process, or choose another data directory`,
        })
        await put(store, `${pods}a/one`)
        await store.close()
        const again = await fixture.open(directory)
        assert.equal(again.revision(), 2)
        await again.close()
      }))
  })
}
