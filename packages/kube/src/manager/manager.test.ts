import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom, VirtualClock } from '@windlass/core'
import { LeadershipLost } from '../election/index.ts'
import { calm, LeaseApi } from '../election/testing/lease-api.ts'
import { type Log, silentLog } from '../log.ts'
import { noMetrics } from '../metrics/index.ts'
import { createManager, type ManagerOptions, type Runnable } from './index.ts'
import { FakeCache } from './testing/fake-cache.ts'

const lease = { namespace: 'default', name: 'windlass' }

function setUp(more: Partial<ManagerOptions> = {}) {
  const clock = new VirtualClock()
  const random = seededRandom('manager')
  const steps: string[] = []
  const errors: string[] = []
  const cache = new FakeCache(steps)
  const api = new LeaseApi(clock, random)
  const log: Log = { ...silentLog, error: (_, message) => void errors.push(message), child: () => log }
  const manager = createManager({ client: api.client(), cache, clock, random, log, metrics: noMetrics, ...more })
  const stop = new AbortController()
  let outcome: unknown = 'runs'
  const start = (): void => {
    manager.run(stop.signal).then(
      () => (outcome = 'resolved'),
      (error: unknown) => (outcome = error),
    )
  }
  /** Takes `farewell` milliseconds to stop. */
  const add = (name: string, { needsLeadership = false, farewell = 0 } = {}): { fail: (error: Error) => void } => {
    const failed = Promise.withResolvers<never>()
    failed.promise.catch(() => {})
    const runnable: Runnable = {
      name,
      needsLeadership,
      async run(signal) {
        steps.push(`${name} starts`)
        await Promise.race([aborted(signal), failed.promise])
        if (farewell > 0) await clock.sleep(farewell)
        steps.push(`${name} stops`)
      },
    }
    manager.add(runnable)
    return { fail: failed.reject }
  }
  const settleAfterStop = async (): Promise<void> => {
    stop.abort(new Error('stop'))
    await clock.settle()
  }
  return { clock, cache, api, manager, steps, errors, start, add, stop: settleAfterStop, outcome: () => outcome }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

describe('manager', () => {
  it('N19 starts caches, then the rest when they are filled, and stops in reverse', async () => {
    const { clock, cache, manager, steps, start, add, stop, outcome } = setUp()
    add('controller', { needsLeadership: true })
    add('events')
    start()
    await clock.advance(1000)
    assert.deepEqual(steps, ['caches start'])
    assert.equal(manager.isReady, false)
    cache.fill()
    await clock.advance(1)
    assert.deepEqual(steps, ['caches start', 'events starts', 'controller starts'])
    assert.deepEqual([manager.isReady, manager.isLeader], [true, true])
    steps.length = 0
    await stop()
    assert.deepEqual(steps, ['controller stops', 'events stops', 'caches stop'])
    assert.equal(outcome(), 'resolved')
    assert.deepEqual([manager.isReady, manager.isLeader], [false, false])
  })

  it('N19 what failed stops everything, and is what run rejects with', async () => {
    const { clock, cache, steps, errors, start, add, outcome } = setUp()
    add('controller', { needsLeadership: true, farewell: 2000 })
    const { fail } = add('poller')
    start()
    cache.fill()
    await clock.advance(1000)
    const error = new Error('broken')
    fail(error)
    await clock.settle()
    await clock.advance(2000)
    assert.equal(outcome(), error)
    assert.deepEqual(steps.slice(-2), ['controller stops', 'caches stop'])
    assert.deepEqual(errors, ['stops because poller has failed'])
  })

  it('N19 caches that fail stop everything too', async () => {
    const { clock, cache, start, outcome } = setUp()
    start()
    await clock.advance(10)
    const error = new Error('no such kind')
    cache.fail(error)
    await clock.advance(10)
    assert.equal(outcome(), error)
  })

  it('N19 caches that are not filled in two minutes are named', async () => {
    const { clock, cache, start, outcome } = setUp()
    cache.problem = 'widgets.test.windlass.dev is forbidden'
    start()
    await clock.advance(119_000)
    assert.equal(outcome(), 'runs')
    await clock.advance(1000)
    const error = outcome()
    assert.ok(error instanceof Error)
    assert.match(error.message, /not filled within 120 s: widgets\.test\.windlass\.dev \(widgets\.test\.windlass\.dev is forbidden\)/)
  })

  it('N19 what does not stop within 30 s is named and not waited for', async () => {
    const { clock, cache, errors, steps, start, add, stop, outcome } = setUp()
    add('stubborn', { needsLeadership: true, farewell: 60_000 })
    add('slow', { farewell: 60_000 })
    start()
    cache.fill()
    await clock.advance(1000)
    await stop()
    await clock.advance(29_999)
    assert.equal(outcome(), 'runs')
    await clock.advance(1)
    await clock.settle()
    assert.equal(outcome(), 'resolved')
    assert.deepEqual(errors, ['did not stop in time: stubborn', 'did not stop in time: slow'])
    assert.deepEqual(steps.at(-1), 'caches stop')
  })

  it('N19 stopping before the caches are filled starts nothing', async () => {
    const { clock, steps, start, add, stop, outcome } = setUp()
    add('controller', { needsLeadership: true })
    start()
    await clock.advance(10)
    await stop()
    assert.deepEqual(steps, ['caches start', 'caches stop'])
    assert.equal(outcome(), 'resolved')
    assert.equal(clock.pending, 0)
  })

  it('N19 what comes later is started at once, and stopped with the others', async () => {
    const { clock, cache, steps, start, add, stop } = setUp()
    start()
    cache.fill()
    await clock.advance(10)
    add('late')
    await clock.advance(10)
    assert.equal(steps.at(-1), 'late starts')
    await stop()
    assert.deepEqual(steps.slice(-2), ['late stops', 'caches stop'])
  })

  it('N19 what ends by itself is no failure', async () => {
    const { clock, cache, manager, start, stop, outcome } = setUp()
    manager.add({ name: 'once', needsLeadership: false, run: () => Promise.resolve() })
    start()
    cache.fill()
    await clock.advance(1000)
    assert.equal(outcome(), 'runs')
    await stop()
    assert.equal(outcome(), 'resolved')
  })

  it('N19 runs once', async () => {
    const { manager, start } = setUp()
    start()
    await assert.rejects(manager.run(new AbortController().signal), /has run already/)
  })
})

describe('manager with leader election', () => {
  const election = { lease, identity: 'a' }

  it('N15 a replica fills its caches before it asks for the lease', async () => {
    const { clock, cache, api, start, add, steps } = setUp({ election })
    add('controller', { needsLeadership: true })
    start()
    await clock.advance(60_000)
    assert.equal(api.holder, undefined)
    cache.fill()
    await clock.advance(1000)
    assert.equal(api.holder, 'a')
    assert.deepEqual(steps, ['caches start', 'controller starts'])
  })

  it('N15 N20 a replica that waits is ready: warm, and not the leader', async () => {
    const { clock, cache, api, manager, start, add, steps } = setUp({ election })
    api.lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...lease, resourceVersion: '1' },
      spec: { holderIdentity: 'b', leaseDurationSeconds: 3600 },
    }
    add('controller', { needsLeadership: true })
    add('events')
    start()
    cache.fill()
    await clock.advance(60_000)
    assert.deepEqual(steps, ['caches start', 'events starts'])
    assert.deepEqual([manager.isReady, manager.isLeader], [true, false])
  })

  it('N14 N19 the lease is released when what needs it has stopped, and before the rest stops', async () => {
    const { clock, cache, api, start, add, stop, outcome } = setUp({ election })
    add('controller', { needsLeadership: true, farewell: 5000 })
    add('events', { farewell: 5000 })
    start()
    cache.fill()
    await clock.advance(1000)
    await stop()
    await clock.advance(4900)
    assert.equal(api.holder, 'a')
    await clock.advance(1000)
    assert.equal(api.holder, '')
    assert.equal(outcome(), 'runs')
    await clock.advance(5000)
    assert.equal(outcome(), 'resolved')
  })

  it('N14 losing the lease stops everything within the time that others wait, and run rejects with it', async () => {
    const { clock, cache, api, errors, start, add, outcome } = setUp({ election })
    add('stubborn', { needsLeadership: true, farewell: 60_000 })
    start()
    cache.fill()
    await clock.advance(1000)
    api.trouble = { ...calm, lostRequest: 1 }
    const renewed = Date.parse(api.lease?.spec?.renewTime ?? '')
    await clock.advanceUntil(() => outcome() !== 'runs', 60_000)
    assert.ok(outcome() instanceof LeadershipLost)
    assert.ok(clock.now() - renewed <= 15_001, `${clock.now() - renewed} ms`)
    assert.ok(errors.includes('did not stop in time: stubborn'))
  })

  it('N14 in a simulation losing the lease stops the group and no more', async () => {
    const { clock, cache, api, steps, start, add, outcome } = setUp({ election: { ...election, onLost: 'stop group' } })
    add('controller', { needsLeadership: true })
    start()
    cache.fill()
    await clock.advance(1000)
    api.trouble = { ...calm, lostRequest: 1 }
    await clock.advanceUntil(() => outcome() !== 'runs', 60_000)
    assert.equal(outcome(), 'resolved')
    assert.deepEqual(steps.slice(-2), ['controller stops', 'caches stop'])
  })

  it('N14 what still runs when the time is over keeps the lease from being released', async () => {
    const { clock, cache, api, start, add, stop, outcome } = setUp({ election })
    add('stubborn', { needsLeadership: true, farewell: 60_000 })
    start()
    cache.fill()
    await clock.advance(1000)
    await stop()
    await clock.advance(31_000)
    assert.equal(outcome(), 'resolved')
    assert.equal(api.holder, 'a')
  })
})
