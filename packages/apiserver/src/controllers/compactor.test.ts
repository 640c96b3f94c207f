import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { openMemoryStore, type Store } from '../storage/index.ts'
import { aConfigMap, MortalStore, startTestServer, urls } from '../testing/index.ts'
import { Compactor } from './compactor.ts'

const minute = 60_000

/** A store that is only a counter, whose compaction fails when told to. */
class Counter extends MortalStore {
  now = 1
  #compacted = 0
  isBroken = false

  constructor() {
    super(openMemoryStore())
  }

  override revision(): number {
    return this.now
  }

  override compacted(): number {
    return this.#compacted
  }

  override compact(revision: number): Promise<void> {
    if (this.isBroken) return Promise.reject(new Error('disk on fire'))
    this.#compacted = revision
    return Promise.resolve()
  }
}

function aCompactor(clock: VirtualClock, store: Store, milliseconds: number, revisions: number, problems: unknown[] = []): Compactor {
  const compactor = new Compactor(store, clock, { milliseconds, revisions }, (problem) => problems.push(problem))
  compactor.start()
  return compactor
}

test('W7 a revision is kept for five minutes, however many follow it', async () => {
  const clock = new VirtualClock()
  const store = new Counter()
  store.now = 1_000
  const compactor = aCompactor(clock, store, 5 * minute, 100)
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
  const store = new Counter()
  const compactor = aCompactor(clock, store, 5 * minute, 100_000)
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
  const store = new Counter()
  store.now = 50
  store.isBroken = true
  const compactor = aCompactor(clock, store, minute, 0, problems)
  await clock.advance(3 * minute)
  assert.ok(problems.length >= 2)
  store.isBroken = false
  await clock.advance(minute)
  assert.equal(store.compacted(), 50)
  await compactor.stop()
})

test('W7 a stopped compactor leaves no timer behind', async () => {
  const clock = new VirtualClock()
  const compactor = aCompactor(clock, openMemoryStore(), minute, 0)
  await compactor.stop()
  assert.equal(clock.pending, 0)
})

test('W7 how much a server keeps can be told', async () => {
  await using server = await startTestServer({ history: { milliseconds: 2 * minute, revisions: 3 } })
  for (let index = 0; index < 8; index++) await server.create(urls.configMaps(), aConfigMap(`c-${index}`))
  const { revision } = server
  await server.clock.advance(2 * minute)
  assert.ok(server.api.store.compacted() < revision - 3)
  await server.clock.advance(minute)
  assert.equal(server.api.store.compacted(), revision - 3)
})
