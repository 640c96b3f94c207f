import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, LogicalCluster, Secret } from '@windlass/api'
import { logicalClusters } from '@windlass/apiserver/testing'
import { isExpired } from '../client/index.ts'
import { SimulationError } from './failure.ts'
import { chosenFaults } from './faults/index.ts'
import type { Program } from './process/index.ts'
import { type Simulation, simulate } from './simulate.ts'
import { handWritten } from './testing/hand-written.ts'
import { aWidget, definitions, manyWidgets, Widget } from './testing/widgets.ts'
import type { World } from './world.ts'

const given = manyWidgets(20)
const isReady = ({ status }: Widget): boolean => status?.phase === 'Ready'
const untilReady = (world: World): Promise<void> => world.until(() => world.state.list(Widget).every(isReady), { within: '1h' })

const base = {
  seed: 1,
  definitions,
  given,
  programs: { 'operator-1': handWritten, 'operator-2': handWritten },
  world: untilReady,
} satisfies Simulation
const nothing: Program = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))

async function failureOf(simulation: Simulation): Promise<SimulationError> {
  const error: unknown = await simulate(simulation).then(
    () => 'the simulation did not fail',
    (failure: unknown) => failure,
  )
  assert.ok(error instanceof SimulationError, String(error))
  return error
}

describe('Determinism rule: a run', () => {
  it('writes the same log again with the same seed, to the byte, whatever goes wrong', async () => {
    for (const seed of [1, 2, 3]) {
      const simulation: Simulation = { ...base, seed, faults: 'all' }
      const [first, again] = [await simulate(simulation), await simulate(simulation)]
      assert.equal(first.hash, again.hash)
      assert.deepEqual(first.faults, again.faults)
      assert.equal(first.requests, again.requests)
    }
  })

  it('takes another way with another seed, to the same end', async () => {
    const results = []
    for (const seed of [1, 2, 3, 4]) results.push(await simulate({ ...base, seed, faults: 'all' }))
    assert.equal(new Set(results.map(({ hash }) => hash)).size, 4)
    assert.equal(new Set(results.map(({ finalState }) => finalState)).size, 1)
  })

  it('counts what happened', async () => {
    const { writes, requests, faults, virtualTime, exits } = await simulate({ ...base, programs: { 'operator-1': handWritten } })
    assert.equal(writes.length, 40)
    assert.equal(requests, 1 + 20 * 3)
    assert.deepEqual(
      Object.values(faults).filter((count) => count > 0),
      [],
    )
    assert.equal(virtualTime, 2000)
    assert.deepEqual(exits, { 'operator-1': [] })
  })

  it('gives uids and times that follow from the seed and the clock', async () => {
    const { writes } = await simulate(base)
    const { metadata } = writes.find((write) => write.isOf(ConfigMap))?.object ?? assert.fail('no ConfigMap was written')
    assert.equal(metadata.creationTimestamp, '2026-01-01T00:00:00Z')
    assert.equal(metadata.uid, (await simulate(base)).writes.find((write) => write.isOf(ConfigMap))?.object.metadata.uid)
    assert.notEqual(metadata.uid, (await simulate({ ...base, seed: 2 })).writes.find((write) => write.isOf(ConfigMap))?.object.metadata.uid)
  })
})

describe('Simulation boundary: faults', () => {
  it('of all kinds strike while they are wanted, and stop afterwards', async () => {
    const counts: Record<string, number> = {}
    for (let seed = 1; seed <= 4; seed++) {
      const { faults } = await simulate({
        ...base,
        seed,
        faults: { ...chosenFaults('all'), watchStalls: 0.3, crashes: '30s', leaderLoss: '1m', clockJumps: '30s' },
        programs: { 'operator-1': handWritten, watcher },
        world: async ({ calm, sleep, processes }) => {
          await calm()
          await sleep('90s')
          const lives = Array.from(processes.values(), String)
          await sleep('2m')
          assert.deepEqual(Array.from(processes.values(), String), lives)
        },
      })
      for (const [kind, count] of Object.entries(faults)) counts[kind] = (counts[kind] ?? 0) + count
    }
    for (const [kind, count] of Object.entries(counts)) assert.ok(count > 0, `${kind} never struck`)
  })

  it('never stand between the script of the world and the server', async () => {
    await simulate({
      ...base,
      faults: { lostRequests: 1, outages: 1, latency: [100, 100] },
      programs: { 'operator-1': nothing },
      world: async ({ client, clock }) => {
        const before = clock.now()
        for (let number = 0; number < 100; number++) await client.create(Widget, aWidget(`new-${number}`))
        assert.equal(clock.now(), before)
      },
    })
  })

  it('compact the real store: a watch from before is told that it is too late', async () => {
    let isTold = false
    const late: Program = async ({ client, clock, signal }) => {
      await clock.sleep(60_000)
      try {
        for await (const _ of await client.watch(Widget, { resourceVersion: '5', signal }));
      } catch (error) {
        isTold = isExpired(error)
      }
      await nothing({ signal } as Parameters<Program>[0])
    }
    const { faults } = await simulate({
      ...base,
      faults: { compactions: '5s' },
      programs: { late },
      world: ({ until }) => until(() => isTold, { within: '2m' }),
    })
    assert.ok(faults.compactions > 0)
  })
})

/** Keeps a watch open, and begins a new one when it ends. */
const watcher: Program = async ({ client, clock, signal }) => {
  for (;;) {
    try {
      for await (const _ of await client.watch(Widget, { signal, timeoutSeconds: 300 }));
    } catch {
      // Whatever it was, the next one may go better.
    }
    await clock.sleep(1000, signal)
  }
}

describe('Simulation boundary: a failure', () => {
  it('of an invariant names the seed, the write, its cause, and how to run it again', async () => {
    const error = await failureOf({
      ...base,
      seed: 42,
      invariants: [
        { name: 'everything is allowed', holds: () => true },
        {
          name: 'no ConfigMap is like any other',
          of: ConfigMap,
          holds: (write, state) => state.count(ConfigMap) < 3 || `${write.name} is the third`,
        },
      ],
    })
    const text = error.message
    assert.match(text, /^seed 42: it does not hold that no ConfigMap is like any other\n {2}w10 is the third\n/)
    assert.match(text, /\n {2}write: \d+ create root\/~\/configmaps\/default\/w10 by operator-\d \(operator-\d\)\n/)
    assert.match(text, /\n {2}request: POST \/api\/v1\/namespaces\/default\/configmaps\?/)
    assert.match(text, /\n {2}at: \+180ms, after 5 writes\n {2}faults: none\n/)
    assert.match(text, /\n {2}processes:\n {4}operator-1: running, life 0\n/)
    assert.match(text, /\n {2}last writes:\n(?: {4}\d+ .*\n)+/)
    assert.match(
      text,
      /\n {2}again: WINDLASS_SEED=42 node --test --test-name-pattern='of an invariant names the seed, .* run it again' packages\/kube\/src\/simulation\/simulate\.test\.ts$/,
    )
  })

  it('of an invariant that throws is one too', async () => {
    const holds = (): never => {
      throw new TypeError('this invariant has a bug')
    }
    assert.match(
      (await failureOf({ ...base, invariants: [{ name: 'it works', holds }] })).message,
      /it does not hold that it works\n {2}TypeError: this invariant has a bug/,
    )
  })

  it('to become true in time says what was waited for', async () => {
    const error = await failureOf({
      ...base,
      programs: {},
      world: ({ until, state }) => until(() => state.count(ConfigMap) === 7, { within: '10m' }),
    })
    assert.match(error.message, /^seed 1: state\.count\(ConfigMap\) === 7 did not become true within 10m0s\n {2}at: \+10m0s/)
  })

  it('of the script keeps its error', async () => {
    const error = await failureOf({ ...base, world: () => Promise.resolve(assert.equal(1, 2, 'one is not two')) })
    assert.ok(error.cause instanceof assert.AssertionError)
    assert.match(error.message, /^seed 1: one is not two\n/)
  })

  it('to come to an end is noticed', async () => {
    const forever = (): Promise<never> => new Promise(() => {})
    const error = await failureOf({ ...base, programs: { watcher }, world: forever, limit: '1h' })
    assert.match(error.message, /^seed 1: the script is not through after 1h0m0s/)
  })

  it('shows the last warnings of the processes', async () => {
    const error = await failureOf({ ...base, faults: { outages: 1 }, world: ({ until }) => until(() => false, { within: '1m' }) })
    assert.match(error.message, /last messages:\n {4}\+.* this round failed process=operator-\d life=0 error=/)
  })
})

describe('Simulation boundary: a process', () => {
  const lives: string[] = []
  const diary: Program = async ({ life, clock, signal }) => {
    lives.push(`${life} begins`)
    try {
      for (;;) await clock.sleep(1000, signal)
    } finally {
      lives.push(`${life} cleans up`)
    }
  }

  it('that crashes is gone at once, cleans nothing up, and comes back knowing nothing', async () => {
    lives.length = 0
    const { exits } = await simulate({
      seed: 1,
      programs: { diary },
      world: async ({ processes, sleep }) => {
        await sleep('10s')
        assert.equal(processes.get('diary')?.crash(), true)
        assert.equal(processes.get('diary')?.crash(), false)
        await sleep('1m')
      },
    })
    assert.deepEqual(lives, ['0 begins', '1 begins'])
    assert.deepEqual(exits, { diary: ['crashed'] })
  })

  it('that is asked to stop cleans up first', async () => {
    lives.length = 0
    const { exits } = await simulate({
      seed: 1,
      programs: { diary },
      world: async ({ processes, sleep }) => {
        await sleep('10s')
        processes.get('diary')?.stop()
        await sleep('1m')
      },
    })
    assert.deepEqual(lives, ['0 begins', '0 cleans up', '1 begins'])
    assert.deepEqual(exits, { diary: ['Error: diary was asked to stop'] })
  })

  it('that fails is started again, and why is on record', async () => {
    const failing: Program = ({ life }) => (life < 2 ? Promise.reject(new RangeError(`life ${life} was too short`)) : new Promise(() => {}))
    const { exits } = await simulate({ seed: 1, programs: { failing }, world: ({ sleep }) => sleep('5m') })
    assert.deepEqual(exits, { failing: ['RangeError: life 0 was too short', 'RangeError: life 1 was too short'] })
  })

  it('can have a wrong wall clock, and measures right all the same', async () => {
    const seen: number[] = []
    const timed: Program = async ({ clock }) => {
      for (;;) {
        const [wall, monotonic] = [clock.now(), clock.monotonic()]
        await clock.sleep(10_000)
        seen.push(clock.now() - wall, clock.monotonic() - monotonic)
      }
    }
    await simulate({
      seed: 1,
      programs: { timed },
      world: async ({ processes, sleep }) => {
        await sleep('5s')
        processes.get('timed')?.jumpClock(-3_600_000)
        await sleep('6s')
      },
    })
    assert.deepEqual(seen, [10_000 - 3_600_000, 10_000])
  })

  it('that is cut off cannot reach the API, and only it', async () => {
    const failed: string[] = []
    const asking: Program = async ({ name, client, clock }) => {
      for (;;) {
        await client.find(Widget, { namespace: 'default', name: 'w1' }).catch(() => failed.push(name))
        await clock.sleep(5000)
      }
    }
    await simulate({
      ...base,
      programs: { one: asking, two: asking },
      world: async ({ processes, sleep }) => {
        await sleep('1s')
        processes.get('one')?.cutOff(20_000, false)
        await sleep('1m')
      },
    })
    assert.ok(failed.length >= 3 && failed.length <= 4)
    assert.deepEqual([...new Set(failed)], ['one'])
  })

  it('reaches logical clusters by the kubeconfigs in their Secrets', async () => {
    const remote: Program = async ({ client, connect, clock, signal }) => {
      for (;;) {
        const secret = await client.find(Secret, { namespace: 'kube-system', name: 'one-kubeconfig' })
        if (secret !== undefined) {
          const kubeconfig = Buffer.from(secret.data?.kubeconfig ?? '', 'base64').toString()
          await connect(kubeconfig).create(ConfigMap, { metadata: { namespace: 'default', name: 'inside' } })
          return nothing({ signal } as Parameters<Program>[0])
        }
        await clock.sleep(1000)
      }
    }
    await simulate({
      seed: 1,
      definitions: [logicalClusters],
      programs: { remote },
      world: async (world) => {
        await world.client.create(LogicalCluster, { metadata: { name: 'one' }, spec: {} })
        await world.until(() => world.state.count(ConfigMap, { cluster: 'one' }) > 0, { within: '1m' })
        assert.ok(world.state.get(ConfigMap, { namespace: 'default', name: 'inside' }, { cluster: 'one' }))
        assert.equal((await world.clientOf('one').get(ConfigMap, { namespace: 'default', name: 'inside' })).metadata.name, 'inside')
      },
    })
  })
})
