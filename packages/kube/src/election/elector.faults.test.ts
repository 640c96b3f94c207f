import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Random, seededRandom, VirtualClock } from '@windlass/core'
import { silentLog } from '../log.ts'
import { noMetrics } from '../metrics/index.ts'
import { LeaderElector } from './index.ts'
import { calm, LeaseApi, OwnClock, type Trouble } from './testing/lease-api.ts'

const lease = { namespace: 'default', name: 'windlass' }
const seeds = Array.from({ length: 60 }, (_, seed) => seed)

interface Weather {
  /** Clocks run at most so many times as fast as the slowest. */
  readonly skew: number
  /** How long what is led needs to stop after the leadership was lost; it still acts meanwhile. */
  readonly farewell: number
}

/** Several processes that come, stop, vanish and lose leadership, and a watchman who sees who acts at any instant. */
class Race {
  readonly clock: VirtualClock
  readonly random: Random
  readonly api: LeaseApi
  readonly weather: Weather
  readonly acting = new Set<string>()
  readonly led: string[] = []
  /** The network of each place: one may be cut off while the others are not. */
  readonly ways: { trouble: Trouble }[] = []
  #started = 0

  constructor(seed: number, weather: Weather) {
    this.random = seededRandom(`race ${seed}`)
    this.clock = new VirtualClock({ ties: seededRandom(`ties ${seed}`) })
    this.api = new LeaseApi(this.clock, seededRandom(`network ${seed}`))
    this.weather = weather
  }

  /** One process after the other in the same place, as a Deployment would have it. */
  async place(signal: AbortSignal): Promise<void> {
    const way = { trouble: calm }
    this.ways.push(way)
    while (!signal.aborted) {
      const clock = new OwnClock(this.clock, 1 + (this.weather.skew - 1) * this.random.next())
      const life = new AbortController()
      const end = (): void => life.abort(new Error('stop'))
      signal.addEventListener('abort', end, { once: true })
      const cancel = this.clock.after(5000 + this.random.next() * 90_000, end)
      const jump = this.clock.after(this.random.next() * 60_000, () => {
        clock.wallOffset = (this.random.next() - 0.5) * 1e12
      })
      const identity = `process-${++this.#started}`
      const elector = new LeaderElector({
        client: this.api.client(way),
        clock,
        random: seededRandom(identity),
        log: silentLog,
        metrics: noMetrics,
        lease,
        identity,
      })
      await elector.run(life.signal, (led) => this.#act(identity, elector, led)).catch(() => {})
      cancel()
      jump()
      signal.removeEventListener('abort', end)
      await this.clock.sleep(this.random.next() * 3000)
    }
  }

  async #act(identity: string, elector: LeaderElector, signal: AbortSignal): Promise<void> {
    assert.equal(elector.isLeader, true)
    this.acting.add(identity)
    this.led.push(identity)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    const isLost = !elector.isLeader
    await this.clock.sleep(isLost ? this.weather.farewell : this.random.next() * 5000)
    this.acting.delete(identity)
  }
}

function someTrouble(random: Random): Trouble {
  const kinds: readonly Trouble[] = [
    calm,
    { ...calm, lostRequest: 1 },
    { ...calm, lostRequest: 0.5 },
    { ...calm, lostAnswer: 0.5 },
    { ...calm, lostAnswer: 1 },
    { latency: 500, delay: 30_000, delayed: 0.3, lostRequest: 0.1, lostAnswer: 0.1 },
    { latency: 3000, delay: 0, delayed: 0, lostRequest: 0, lostAnswer: 0.2 },
  ]
  return kinds[random.below(kinds.length)] ?? calm
}

async function run(seed: number, places: number, weather: Weather): Promise<Race> {
  const race = new Race(seed, weather)
  const stop = new AbortController()
  const running = Array.from({ length: places }, () => race.place(stop.signal))
  let lawless = 0
  const watchman = (): void => {
    if (race.acting.size > 1) lawless++
  }
  const end = race.clock.now() + 240_000
  while (race.clock.now() < end) {
    const change = race.clock.now() + 500 + race.random.next() * 12_000
    // In peace at the end: whatever happened before, somebody leads again.
    const isPeace = race.clock.now() > end - 60_000
    for (const way of race.ways) if (isPeace || race.random.next() < 0.5) way.trouble = isPeace ? calm : someTrouble(race.random)
    await race.clock.advanceUntil(() => (watchman(), race.clock.now() >= change), 30_000)
  }
  assert.equal(lawless, 0, `seed ${seed}: ${[...race.acting].join(' and ')} act at once`)
  const isLed = await race.clock.advanceUntil(() => (watchman(), race.acting.size === 1), 60_000)
  assert.ok(isLed, `seed ${seed}: nobody leads though nothing is wrong any more`)
  stop.abort(new Error('the race is over'))
  const over = Promise.all(running)
  await race.clock.advance(60_000)
  await over
  return race
}

describe('leader election with faults', () => {
  for (const places of [2, 3]) {
    it(`N14 at no instant two of ${places} act, however slow or lossy the network and whatever the wall clocks say`, async () => {
      let led = 0
      for (const seed of seeds) led += (await run(seed, places, { skew: 1, farewell: 4900 })).led.length
      assert.ok(led > seeds.length * 3, `${led} terms are too few to prove anything`)
    })
  }

  it('N14 nor do they when some clocks run a quarter faster than others', async () => {
    for (const seed of seeds) await run(seed + 1000, 3, { skew: 1.25, farewell: 0 })
  })

  it('N14 the same seed gives the same leaders', async () => {
    const [first, second] = [await run(7, 3, { skew: 1, farewell: 0 }), await run(7, 3, { skew: 1, farewell: 0 })]
    assert.deepEqual(first.led, second.led)
    assert.equal(first.clock.now(), second.clock.now())
  })
})
