import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom, VirtualClock } from '@windlass/core'
import { silentLog } from '../log.ts'
import { createMetrics, noMetrics } from '../metrics/index.ts'
import { LeaderElector, type LeaderElectorOptions, LeadershipLost, StillRunning } from './index.ts'
import { calm, LeaseApi, OwnClock } from './testing/lease-api.ts'

const lease = { namespace: 'default', name: 'windlass' }

function setUp() {
  const clock = new VirtualClock()
  const random = seededRandom('elections')
  const api = new LeaseApi(clock, random)
  return {
    clock,
    random,
    api,
    elector: (identity: string, more: Partial<LeaderElectorOptions> = {}) => new Seat(api, { clock, random, identity, ...more }),
  }
}

/** An elector, and what it leads: something that takes `farewell` milliseconds to stop. */
class Seat {
  readonly elector: LeaderElector
  readonly #stop = new AbortController()
  readonly #options: Pick<LeaderElectorOptions, 'clock' | 'random' | 'identity'>
  farewell = 0
  isActing = false
  reason: unknown
  ended: Promise<void>
  result: unknown = 'runs'

  constructor(api: LeaseApi, options: Pick<LeaderElectorOptions, 'clock' | 'random' | 'identity'> & Partial<LeaderElectorOptions>) {
    this.#options = options
    this.elector = new LeaderElector({ client: api.client(), lease, log: silentLog, metrics: noMetrics, ...options })
    this.ended = this.elector
      .run(this.#stop.signal, (signal) => this.#lead(signal))
      .then(
        () => void (this.result = 'ended'),
        (error: unknown) => void (this.result = error),
      )
  }

  stop(): void {
    this.#stop.abort(new Error('stop'))
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.isActing = true
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    this.reason = signal.reason
    if (this.farewell > 0) await this.#options.clock.sleep(this.farewell)
    this.isActing = false
  }
}

describe('leader election', () => {
  it('N14 the first gets the lease, the second waits', async () => {
    const { clock, elector, api } = setUp()
    const a = elector('a')
    await clock.advance(100)
    const b = elector('b')
    await clock.advance(60_000)
    assert.deepEqual([a.elector.isLeader, a.isActing, b.elector.isLeader, b.isActing], [true, true, false, false])
    assert.deepEqual([a.elector.holder, b.elector.holder], ['a', 'a'])
    assert.equal(api.lease?.spec?.leaseTransitions, 0)
  })

  it('N14 a leader renews every two seconds', async () => {
    const { clock, elector, api } = setUp()
    elector('a')
    await clock.advance(100)
    const first = api.lease?.spec
    await clock.advance(2000)
    const second = api.lease?.spec
    assert.equal(second?.acquireTime, first?.acquireTime)
    const between = Date.parse(second?.renewTime ?? '') - Date.parse(first?.renewTime ?? '')
    assert.ok(between >= 2000 && between < 2050, `${between} ms`)
  })

  it('N14 a leader that stops finishes first, keeps the lease meanwhile, and gives it up then', async () => {
    const { clock, elector, api } = setUp()
    const a = elector('a')
    a.farewell = 25_000
    await clock.advance(100)
    const b = elector('b')
    await clock.advance(1000)
    a.stop()
    await clock.settle()
    await clock.advance(24_000)
    assert.deepEqual([a.isActing, b.isActing, api.lease?.spec?.holderIdentity], [true, false, 'a'])
    await clock.advance(1500)
    assert.equal(a.result, 'ended')
    await clock.advance(4400)
    assert.deepEqual([a.isActing, b.isActing, api.lease?.spec?.holderIdentity], [false, true, 'b'])
    assert.equal(api.lease?.spec?.leaseTransitions, 1)
  })

  it('N14 a process that vanishes is succeeded when its lease has run out', async () => {
    const { clock, elector, api } = setUp()
    const gone = new OwnClock(clock)
    const a = elector('a', { clock: gone })
    await clock.advance(100)
    const b = elector('b')
    await clock.advance(5000)
    const renewed = clock.now()
    // It neither renews nor notices that it does not.
    gone.after = () => () => {}
    gone.sleep = () => new Promise(() => {})
    assert.equal(await clock.advanceUntil(() => b.isActing, 30_000), true)
    const took = clock.now() - renewed
    assert.ok(took >= 13_000 && took < 20_000, `${took} ms`)
    assert.equal(a.elector.isLeader, false, 'by the clock it knows, should it ever wake up')
    assert.equal(api.lease?.spec?.holderIdentity, 'b')
  })

  it('N14 a leader that cannot renew stops before others may begin', async () => {
    const { clock, elector, api } = setUp()
    const a = elector('a')
    await clock.advance(100)
    const b = elector('b')
    await clock.advance(10_000)
    api.trouble = { ...calm, lostRequest: 1 }
    const cut = clock.now()
    assert.equal(await clock.advanceUntil(() => !a.isActing, 30_000), true)
    const took = clock.now() - cut
    assert.ok(took >= 7900 && took < 10_001, `${took} ms`)
    assert.ok(a.reason instanceof LeadershipLost)
    await clock.settle()
    assert.equal(a.result, a.reason)
    assert.match(a.reason.message, /^lost the lease default\/windlass: it was not renewed for 10 s: connection refused$/)
    api.trouble = calm
    const free = clock.now()
    assert.equal(await clock.advanceUntil(() => b.isActing, 30_000), true)
    assert.ok(clock.now() - free >= 4000, 'others wait for the whole duration')
  })

  it('N14 a leader counts from when it asked, not from when it was answered', async () => {
    const { clock, elector, api } = setUp()
    const way = { trouble: calm }
    const a = elector('a', { client: api.client(way) })
    await clock.advance(100)
    for (let times = 0; times < 20 && a.isActing; times++) {
      way.trouble = { ...calm, delay: 2400, delayed: 1 }
      await clock.advance(10_000 + times * 777)
      way.trouble = { ...calm, lostRequest: 1 }
      await clock.advanceUntil(() => !a.isActing, 12_000)
      const asked = Date.parse(api.lease?.spec?.renewTime ?? '')
      if (!a.isActing) assert.ok(clock.now() - asked < 10_001, `${clock.now() - asked} ms after it asked`)
    }
    assert.equal(a.isActing, false)
  })

  it('N14 a leader whose lease somebody else has stops at once', async () => {
    const { clock, elector, api } = setUp()
    const a = elector('a')
    await clock.advance(100)
    assert.ok(api.lease?.spec !== undefined)
    api.lease = {
      ...api.lease,
      metadata: { ...api.lease.metadata, resourceVersion: '99' },
      spec: { ...api.lease.spec, holderIdentity: 'z' },
    }
    await clock.advance(4100)
    assert.equal(a.isActing, false)
    assert.ok(a.result instanceof LeadershipLost)
    assert.match(a.result.message, /z has it/)
  })

  it('N14 an answer that is lost after the server has done it costs one more request, not the leadership', async () => {
    const { clock, elector, api } = setUp()
    const a = elector('a')
    await clock.advance(100)
    for (let times = 0; times < 5; times++) {
      api.trouble = { ...calm, lostAnswer: 1 }
      await clock.advance(2500)
      api.trouble = calm
      await clock.advance(5000)
      assert.equal(a.isActing, true)
    }
    assert.equal(api.lease?.spec?.leaseTransitions, 0)
  })

  it('N14 who does not hear that it got the lease finds out by looking', async () => {
    const { clock, elector, api } = setUp()
    api.trouble = { ...calm, lostAnswer: 1 }
    const a = elector('a')
    // Looking gets no answer either, so the write never happens; then it does, unheard.
    await clock.advance(1000)
    api.trouble = calm
    await clock.advanceUntil(() => api.lease !== undefined, 10_000)
    api.trouble = { ...calm, lostAnswer: 1 }
    await clock.advance(1000)
    assert.equal(a.isActing, false)
    api.trouble = calm
    await clock.advance(5000)
    assert.deepEqual([a.isActing, api.lease?.spec?.leaseTransitions], [true, 0])
  })

  it('N14 a server that does not answer at all is given up on in time to try again', async () => {
    const { clock, elector, api } = setUp()
    const a = elector('a')
    await clock.advance(100)
    api.trouble = { ...calm, latency: 0, delay: 1e9, delayed: 1 }
    await clock.advance(6000)
    api.trouble = calm
    await clock.advance(60_000)
    assert.equal(a.isActing, true)
  })

  it('N14 jumps of the wall clock change nothing', async () => {
    const { clock, elector } = setUp()
    const [clockOfA, clockOfB] = [new OwnClock(clock), new OwnClock(clock)]
    const a = elector('a', { clock: clockOfA })
    await clock.advance(100)
    const b = elector('b', { clock: clockOfB })
    for (const years of [3, -20, 7]) {
      clockOfA.wallOffset = years * 31_536_000_000
      clockOfB.wallOffset = -years * 31_536_000_000
      await clock.advance(30_000)
      assert.deepEqual([a.isActing, b.isActing], [true, false])
    }
  })

  it('N14 a lease that was deleted is no reason to lead while its holder may', async () => {
    const { clock, elector, api } = setUp()
    const a = elector('a')
    await clock.advance(100)
    const b = elector('b')
    await clock.advance(5000)
    api.deleteLease()
    await clock.advance(30_000)
    assert.deepEqual([a.isActing, b.isActing, api.lease?.spec?.holderIdentity], [true, false, 'a'])
  })

  it('N14 what is led and fails takes the lease with it', async () => {
    const { clock, random, api } = setUp()
    const elector = new LeaderElector({ client: api.client(), clock, random, lease, identity: 'a', log: silentLog, metrics: noMetrics })
    const run = elector.run(new AbortController().signal, () => Promise.reject(new Error('broken')))
    const rejected = assert.rejects(run, /broken/)
    await clock.advance(1000)
    await rejected
    assert.equal(api.lease?.spec?.holderIdentity, '')
  })

  it('N14 a lease is not released while something may still act', async () => {
    const { clock, random, api } = setUp()
    const elector = new LeaderElector({ client: api.client(), clock, random, lease, identity: 'a', log: silentLog, metrics: noMetrics })
    const run = elector.run(new AbortController().signal, () => Promise.reject(new StillRunning(['stubborn'], 30_000)))
    const rejected = assert.rejects(run, /did not stop within 30 s: stubborn/)
    await clock.advance(1000)
    await rejected
    assert.equal(api.lease?.spec?.holderIdentity, 'a')
  })

  it('N14 who is stopped while it asks for the lease does not leave it behind', async () => {
    const { clock, elector, api } = setUp()
    api.trouble = { ...calm, latency: 0, delay: 1000, delayed: 1 }
    const a = elector('a')
    await clock.advanceUntil(() => api.lease !== undefined, 10_000)
    a.stop()
    await clock.advance(10_000)
    assert.equal(a.result, 'ended')
    assert.equal(a.isActing, false)
    assert.equal(api.lease?.spec?.holderIdentity, '')
  })

  it('N14 N21 the gauge says who leads', async () => {
    const { clock, elector } = setUp()
    const metrics = createMetrics()
    const a = elector('a', { metrics })
    assert.match(await metrics.text(), /leader_election_master_status\{name="windlass"\} 0/)
    await clock.advance(100)
    assert.match(await metrics.text(), /leader_election_master_status\{name="windlass"\} 1/)
    a.stop()
    await clock.advance(100)
    assert.match(await metrics.text(), /leader_election_master_status\{name="windlass"\} 0/)
  })

  it('N14 times that would let two lead are refused', () => {
    const { elector } = setUp()
    assert.throws(() => elector('a', { timing: { renewDeadline: 15_000 } }), /leaseDuration \(15000 ms\) must be longer than renewDeadline/)
    assert.throws(() => elector('a', { timing: { retryPeriod: 9000 } }), /one failed renewal must not end a leadership/)
    assert.throws(() => elector('a', { timing: { retryPeriod: 0 } }), /must be more than 0/)
  })
})
