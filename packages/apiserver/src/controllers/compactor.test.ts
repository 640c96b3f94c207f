import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { openMemoryStore, type Store } from '../storage/index.ts'
import { startTestServer } from '../testing/index.ts'
import { Compactor } from './compactor.ts'

const minute = 60_000

/** A store that is only a counter. */
function aCounter(): Pick<Store, 'revision' | 'compacted' | 'compact'> & { now: number } {
  let compacted = 0
  return {
    now: 1,
    revision() {
      return this.now
    },
    compacted: () => compacted,
    compact: async (revision) => void (compacted = revision),
  }
}

test('W7 a revision is kept for five minutes, however many follow it', async () => {
  const clock = new VirtualClock()
  const store = aCounter()
  const compactor = new Compactor(store as Store, clock, { milliseconds: 5 * minute, revisions: 100 }, assert.fail)
  store.now = 1_000
  compactor.start()
  store.now = 2_000
  await clock.advance(4 * minute)
  store.now = 500_000
  assert.equal(store.compacted(), 0)
  await clock.advance(minute)
  assert.equal(store.compacted(), 1_000)
  await clock.advance(minute)
  assert.equal(store.compacted(), 2_000)
  await compactor.stop()
})

test('W7 the last 100,000 revisions are kept, however old they are', async () => {
  const clock = new VirtualClock()
  const store = aCounter()
  const compactor = new Compactor(store as Store, clock, { milliseconds: 5 * minute, revisions: 100_000 }, assert.fail)
  compactor.start()
  store.now = 99_000
  await clock.advance(60 * minute)
  assert.equal(store.compacted(), 0)
  store.now = 100_500
  await clock.advance(60 * minute)
  assert.equal(store.compacted(), 500)
  await compactor.stop()
})

test('W7 a failed compaction is told, and tried again', async () => {
  const clock = new VirtualClock()
  const problems: unknown[] = []
  const store = { ...aCounter(), now: 50, compact: () => Promise.reject(new Error('disk on fire')) }
  const compactor = new Compactor(store as Store, clock, { milliseconds: minute, revisions: 0 }, (problem) => problems.push(problem))
  compactor.start()
  await clock.advance(3 * minute)
  assert.ok(problems.length >= 2)
  await compactor.stop()
})

test('W7 a stopped compactor leaves no timer behind', async () => {
  const clock = new VirtualClock()
  const compactor = new Compactor(openMemoryStore(), clock, { milliseconds: minute, revisions: 0 }, assert.fail)
  compactor.start()
  await compactor.stop()
  assert.equal(clock.pending, 0)
})

test('W7 by default a server keeps five minutes and 100,000 revisions', async () => {
  await using server = await startTestServer()
  const write = (count: number): Promise<void> =>
    server.api.store.write((transaction) => {
      for (let index = 0; index < count; index++) transaction.put('root/x/y/~/z', () => Buffer.from('{}'))
    })
  await write(100_010)
  await server.clock.advance(4 * minute)
  assert.equal(server.api.store.compacted(), 0)
  await server.clock.advance(2 * minute)
  assert.equal(server.api.store.compacted(), server.revision - 100_000)
})
