import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  MachineConfigPoolProgressInsight,
  Node,
  NodeProgressInsight,
  type Resource,
  UpdateHealthInsight,
} from '@windlass/api'
import { aReleaseImage } from '@windlass/api/fixtures'
import type { LearnedEstimate } from '@windlass/core'
import { insightControllers, recordsOf } from '@windlass/insights'
import { type Client, equalJson } from '@windlass/kube'
import { simulate, type SimulationResult, type World, type Write } from '@windlass/kube/simulation'
import { clusterControllers, place, standaloneCluster } from '@windlass/simulator'
import { definitions, type WatchedUpdate, watchUpdates } from './testing/index.ts'

const first = { version: '4.19.10', image: aReleaseImage('4.19.10') }
const installed = Date.UTC(2025, 11, 31)
const given = (client: Client): Promise<void> => place(client, standaloneCluster({ release: first, installed }))

function watched(seed: number, world: (world: World) => Promise<void>): Promise<SimulationResult> {
  return simulate({ seed, definitions, given, controllers: () => [...clusterControllers({ seed }), ...insightControllers()], world })
}

const annotation = 'simulator.windlass.dev/fail'
const words = (estimate: LearnedEstimate | undefined): string => estimate?.state ?? 'none'

describe('insights into simulated updates', () => {
  it('learn from finished updates when the next one will be done, and are not written more often than there is something to tell', async () => {
    let updates: readonly WatchedUpdate[] = []
    const { writes } = await watched(2, async (world) => {
      await world.sleep('1m')
      updates = await watchUpdates(world, { versions: ['4.19.11', '4.19.12', '4.19.13'] })
      for (const operator of world.state.list(ClusterOperatorProgressInsight))
        assert.deepEqual(
          recordsOf(operator).map(({ to }) => to),
          ['4.19.13', '4.19.12', '4.19.11'],
        )
      for (const pool of world.state.list(MachineConfigPoolProgressInsight)) assert.equal(recordsOf(pool).length, 3)
    })
    const [before = assert.fail(), , third = assert.fail()] = updates
    assert.deepEqual([...new Set(before.samples.map(({ learned }) => words(learned)))], ['unlearned', 'none'])
    const { samples, endedAt, workersEndedAt } = third
    for (const { at, learned, workers } of samples) {
      if (at < endedAt) assert.ok(isWithin(learned, endedAt), `at ${at}: ${JSON.stringify(learned)} for ${endedAt}`)
      if (at < workersEndedAt) assert.ok(isWithin(workers, workersEndedAt), `at ${at}: ${JSON.stringify(workers)} for ${workersEndedAt}`)
    }
    for (const update of updates) assertEconomical(writes, update)
  })

  it('say on what an update has stalled instead of putting its end off', async () => {
    await watched(3, async (world) => {
      const fail = (what: string | null) =>
        world.client.patch(ClusterOperator, { name: 'network' }, { metadata: { annotations: { [annotation]: what } } })
      const [, second] = await watchUpdates(world, {
        versions: ['4.19.11', '4.19.12'],
        meddle: async (to, minute) => {
          if (to === '4.19.12' && minute === 0) await fail('stuck')
          if (to === '4.19.12' && minute === 120) await fail(null)
        },
      })
      const { samples } = second ?? assert.fail()
      const stuck = samples.slice(70, 120).map(({ learned }) => learned)
      assert.deepEqual([...new Set(stuck.map(words))], ['stalled'])
      const [stalled] = stuck
      assert.ok(stalled?.state === 'stalled' && stalled.on.includes('network'), JSON.stringify(stalled))
    })
  })
})

/** The bound of the specification: what was written about an update, and for how many reasons. */
function assertEconomical(writes: readonly Write[], { startedAt, endedAt, workersEndedAt }: WatchedUpdate): void {
  const end = Math.max(endedAt, workersEndedAt) + 60_000
  const during = writes.filter(({ at }) => at >= startedAt - 60_000 && at <= end)
  const count = (kind: Resource, isMeant: (write: Write) => boolean = () => true): number =>
    during.filter((write) => write.isOf(kind) && isMeant(write)).length
  const assertAtMost = (kind: Resource, reasons: number): void =>
    assert.ok(count(kind) <= reasons, `${kind.kind}: ${count(kind)} writes for ${reasons} reasons`)
  const told = count(ClusterVersion, ({ object, before }) => before === undefined || !equalJson(statusOf(object), statusOf(before)))
  const arrivals = count(ClusterOperator, ({ object, before }) => versionOf(object) !== versionOf(before))
  // What the version operator says, how far it is, and the estimate, which is made anew every minute.
  assertAtMost(ClusterVersionProgressInsight, told + arrivals + (endedAt - startedAt) / 60_000)
  // Each operator begins to wait, says something, and has its arrival noted.
  assertAtMost(ClusterOperatorProgressInsight, count(ClusterOperator) + 33 + arrivals)
  // Each node begins to wait, and says something.
  assertAtMost(NodeProgressInsight, count(Node) + 6)
  // Pools follow their nodes; each begins to wait, and has its arrival noted.
  assertAtMost(MachineConfigPoolProgressInsight, count(NodeProgressInsight) + 4)
  // Each comes, says what it is, becomes worse once at most, and goes.
  const found = new Set(during.filter((write) => write.isOf(UpdateHealthInsight)).map(({ name }) => name)).size
  assertAtMost(UpdateHealthInsight, 4 * found)
}

function isWithin(estimate: LearnedEstimate | undefined, end: number): boolean {
  // Times on objects are in whole seconds.
  return estimate?.state === 'expected' && estimate.earliest <= end + 1000 && end <= estimate.latest
}

function statusOf(object: object | undefined): unknown {
  return object === undefined ? undefined : Reflect.get(object, 'status')
}

function versionOf(object: object | undefined): unknown {
  const status = statusOf(object) as ClusterOperator['status']
  return status?.versions?.find(({ name }) => name === 'operator')?.version
}
