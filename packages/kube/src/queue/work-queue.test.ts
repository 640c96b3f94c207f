import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { TokenBucket, WorkQueue, type WorkQueueOptions } from './index.ts'

interface Setup extends Partial<WorkQueueOptions> {
  readonly clock?: VirtualClock
}

function aQueue(options: Setup = {}): { readonly queue: WorkQueue; readonly clock: VirtualClock } {
  const clock = options.clock ?? new VirtualClock()
  return { queue: new WorkQueue({ ...options, clock }), clock }
}

/** Takes everything that is ready, working on one at a time. */
function drain(queue: WorkQueue): readonly string[] {
  const taken: string[] = []
  for (let key = queue.next(); key !== undefined; key = queue.next()) {
    taken.push(key)
    queue.done(key)
  }
  return taken
}

describe('work queue', () => {
  it('N8 keys go in the order they came', () => {
    const { queue } = aQueue()
    for (const key of ['b', 'a', 'c']) queue.add(key)
    assert.deepEqual(drain(queue), ['b', 'a', 'c'])
  })

  it('N8 a key that is added many times before it goes, goes once', () => {
    const { queue } = aQueue()
    for (let count = 0; count < 10_000; count++) queue.add('a')
    assert.deepEqual(drain(queue), ['a'])
  })

  it('N8 a key that runs is given to nobody else', () => {
    const { queue } = aQueue()
    queue.add('a')
    assert.equal(queue.next(), 'a')
    queue.add('a')
    assert.equal(queue.next(), undefined)
  })

  it('N8 a key that is added while it runs goes again afterwards, once', () => {
    const { queue } = aQueue()
    queue.add('a')
    queue.next()
    for (let count = 0; count < 10_000; count++) queue.add('a')
    queue.done('a')
    assert.deepEqual(drain(queue), ['a'])
  })

  it('N8 higher priorities go first, and first come, first served within one', () => {
    const { queue } = aQueue()
    queue.add('old-1', { priority: -100 })
    queue.add('new-1')
    queue.add('urgent', { priority: 10 })
    queue.add('old-2', { priority: -100 })
    queue.add('new-2')
    assert.deepEqual(drain(queue), ['urgent', 'new-1', 'new-2', 'old-1', 'old-2'])
  })

  it('N8 the highest of several priorities wins, whatever the order', () => {
    const { queue } = aQueue()
    queue.add('a', { priority: -100 })
    queue.add('b', { priority: -100 })
    queue.add('b')
    queue.add('b', { priority: -100 })
    assert.deepEqual(drain(queue), ['b', 'a'])
  })

  it('N8 a key in delay keeps the highest priority too', async () => {
    const { queue, clock } = aQueue()
    queue.add('a', { after: 10, priority: -100 })
    queue.add('b', { after: 10, priority: -100 })
    queue.add('b', { after: 1_000 })
    await clock.advance(10)
    assert.deepEqual(drain(queue), ['b', 'a'])
  })

  it('N8 the earliest of several times wins, whatever the order', async () => {
    const { queue, clock } = aQueue()
    queue.add('a', { after: 100 })
    queue.add('a', { after: 50 })
    queue.add('a', { after: 200 })
    await clock.advance(49)
    assert.equal(queue.next(), undefined)
    await clock.advance(1)
    assert.deepEqual(drain(queue), ['a'])
    await clock.advance(1_000)
    assert.deepEqual(drain(queue), [])
  })

  it('N8 a key in delay goes at once when it is added without one', async () => {
    const { queue, clock } = aQueue()
    queue.add('a', { after: 100 })
    queue.add('a')
    assert.deepEqual(drain(queue), ['a'])
    await clock.advance(1_000)
    assert.deepEqual(drain(queue), [], 'the delay went with it')
  })

  it('N8 a delay that was asked for while the key runs counts from when it was asked', async () => {
    const { queue, clock } = aQueue()
    queue.add('a')
    queue.next()
    queue.add('a', { after: 100 })
    await clock.advance(60)
    queue.done('a')
    assert.equal(queue.next(), undefined)
    await clock.advance(40)
    assert.deepEqual(drain(queue), ['a'])
  })

  it('N8 any number of delays uses one timer', () => {
    const { queue, clock } = aQueue()
    for (let index = 0; index < 1_000; index++) queue.add(`key-${index}`, { after: 1_000 + index })
    assert.equal(clock.pending, 1)
  })

  it('N8 a failed key waits 5 ms, then twice as long each time, up to 1,000 s', async () => {
    const { queue, clock } = aQueue()
    const waited: number[] = []
    queue.add('a')
    for (let failure = 0; failure < 20; failure++) {
      assert.equal(queue.next(), 'a')
      queue.retry('a')
      queue.done('a')
      const before = clock.now()
      assert.ok(await clock.step())
      waited.push(clock.now() - before)
    }
    assert.deepEqual(
      waited,
      Array.from({ length: 20 }, (_, failure) => Math.min(1_000_000, 5 * 2 ** failure)),
    )
  })

  it('N8 keys back off one by one', async () => {
    const { queue, clock } = aQueue()
    for (let failure = 0; failure < 4; failure++) queue.retry('often')
    queue.retry('once')
    await clock.advance(5)
    assert.deepEqual(drain(queue), ['often', 'once'], 'the earliest of the tries of the first, the only one of the second')
    queue.retry('often')
    await clock.advance(79)
    assert.equal(queue.next(), undefined)
    await clock.advance(1)
    assert.equal(queue.next(), 'often')
  })

  it('N8 a key that was forgotten starts over', async () => {
    const { queue, clock } = aQueue()
    for (let failure = 0; failure < 8; failure++) queue.retry('a')
    await clock.advance(5)
    queue.next()
    queue.forget('a')
    queue.retry('a')
    queue.done('a')
    await clock.advance(5)
    assert.deepEqual(drain(queue), ['a'])
  })

  it('N8 a retry keeps the priority that the key ran with', async () => {
    const { queue, clock } = aQueue()
    queue.add('old', { priority: -100 })
    queue.next()
    queue.retry('old')
    queue.done('old')
    await clock.advance(5)
    queue.add('new')
    assert.deepEqual(drain(queue), ['new', 'old'])
  })

  it('N8 a limiter holds back retries of all keys together, and nothing else', async () => {
    const { queue, clock } = aQueue({ limiter: new TokenBucket({ perSecond: 10, burst: 100 }) })
    for (let index = 0; index < 120; index++) queue.retry(`failed-${index}`)
    queue.add('fresh')
    assert.deepEqual(drain(queue), ['fresh'])
    await clock.advance(5)
    assert.equal(drain(queue).length, 100)
    await clock.advance(1_000)
    assert.equal(drain(queue).length, 10)
    await clock.advance(1_000)
    assert.equal(drain(queue).length, 10)
  })

  it('N8 says when something is ready', async () => {
    let ready = 0
    const { queue, clock } = aQueue({ onReady: () => ready++ })
    queue.add('a')
    assert.equal(ready, 1)
    queue.add('b', { after: 10 })
    assert.equal(ready, 1)
    await clock.advance(10)
    assert.equal(ready, 2)
    queue.next()
    queue.add('a')
    assert.equal(ready, 2)
    queue.done('a')
    assert.equal(ready, 3)
  })

  it('N8 gives and takes nothing once it is closed, and leaves no timer behind', () => {
    const { queue, clock } = aQueue()
    queue.add('a')
    queue.add('b', { after: 10 })
    queue.close()
    queue.add('c')
    assert.equal(queue.next(), undefined)
    assert.equal(clock.pending, 0)
  })
})

describe('work queue with tenants', () => {
  const tenant = (key: string): string => key.slice(0, key.indexOf('/'))

  it('N9 tenants take turns within one priority', () => {
    const { queue } = aQueue({ tenant })
    for (const key of ['big/1', 'big/2', 'big/3', 'big/4', 'small/1', 'tiny/1', 'small/2']) queue.add(key)
    assert.deepEqual(drain(queue), ['big/1', 'small/1', 'tiny/1', 'big/2', 'small/2', 'big/3', 'big/4'])
  })

  it('N9 priority comes before fairness', () => {
    const { queue } = aQueue({ tenant })
    queue.add('small/1', { priority: -100 })
    queue.add('big/1')
    queue.add('big/2')
    assert.deepEqual(drain(queue), ['big/1', 'big/2', 'small/1'])
  })

  it('N9 a tenant has no more keys running than it may, over all priorities', () => {
    const { queue } = aQueue({ tenant, maxRunningPerTenant: 2 })
    for (const key of ['a/1', 'a/2', 'a/3']) queue.add(key)
    queue.add('a/urgent', { priority: 10 })
    queue.add('b/1')
    assert.deepEqual([queue.next(), queue.next(), queue.next(), queue.next()], ['a/urgent', 'a/1', 'b/1', undefined])
    queue.done('a/1')
    assert.deepEqual([queue.next(), queue.next()], ['a/2', undefined])
  })

  it('N9 says that something is ready when a tenant may go on', () => {
    let ready = 0
    const { queue } = aQueue({ tenant, maxRunningPerTenant: 1, onReady: () => ready++ })
    queue.add('a/1')
    queue.add('a/2')
    queue.next()
    const before = ready
    queue.done('a/1')
    assert.equal(ready, before + 1)
    assert.equal(queue.next(), 'a/2')
  })
})
