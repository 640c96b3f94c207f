import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  type KubernetesObject,
  MachineConfigPoolProgressInsight,
  Node,
  NodeProgressInsight,
  type Resource,
  UpdateHealthInsight,
} from '@windlass/api'
import { formatTime } from '@windlass/core'
import { type Client, equalJson } from '@windlass/kube'
import { simulate, type World, type Write } from '@windlass/kube/simulation'
import { insightControllers, insightModes } from './index.ts'
import { v1, v2 } from './testing/index.ts'
import { definitions, note, resting, restingCluster, version } from './testing/simulated.ts'
import { beginUpdate, endUpdate, renderConfig, updateOperator } from './testing/update.ts'

const [operators, masters, workers] = [40, 3, 497]
const nodes = masters + workers
const large = (client: Client): Promise<void> =>
  restingCluster(client, { operators, nodes: { master: masters, worker: workers }, running: v1 })

const written = (writes: readonly Write[]): readonly Write[] => writes.filter((write) => write.actor.process === 'operator-1')

/** Everything reports, and nothing of it means anything. */
async function chatter({ state, client, clock }: World): Promise<void> {
  const lastHeartbeatTime = formatTime(clock.now())
  const touched = { metadata: { annotations: { 'example.com/touched': lastHeartbeatTime } } }
  for (const { metadata, status } of state.list(Node)) {
    const conditions = status?.conditions?.map((condition) => ({ ...condition, lastHeartbeatTime }))
    await client.patchStatus(Node, { name: metadata.name ?? '' }, [{ op: 'add', path: '/status/conditions', value: conditions }])
  }
  for (const { metadata } of state.list(ClusterOperator)) await client.patch(ClusterOperator, { name: metadata.name ?? '' }, touched)
  await client.patch(ClusterVersion, version, touched)
}

async function untilTold(world: World): Promise<void> {
  const isTold = (): boolean =>
    world.state.count(NodeProgressInsight) === nodes &&
    world.state.get(MachineConfigPoolProgressInsight, { name: 'worker' })?.status?.completionPercent === 100
  await world.until(isTold, { within: '5m' })
  await world.sleep('2m')
}

/** What the version operator says between the beginning of an update and its end. */
async function count(world: World, done: number): Promise<void> {
  const conditions = world.state.get(ClusterVersion, version)?.status?.conditions ?? []
  const message = `Working towards ${v2}: ${done} of ${operators} done`
  const value = conditions.map((condition) => (condition.type === 'Progressing' ? { ...condition, message } : condition))
  await world.client.patchStatus(ClusterVersion, version, [{ op: 'add', path: '/status/conditions', value }])
}

async function degrade(world: World, name: string, is: 'True' | 'False'): Promise<void> {
  const conditions = world.state.get(ClusterOperator, { name })?.status?.conditions ?? []
  const degraded = {
    type: 'Degraded',
    status: is,
    reason: 'Broken',
    message: 'It is broken',
    lastTransitionTime: formatTime(world.clock.now()),
  }
  const value = [...conditions.filter(({ type }) => type !== 'Degraded'), degraded]
  await world.client.patchStatus(ClusterOperator, { name }, [{ op: 'add', path: '/status/conditions', value }])
}

/** A whole update: operators one after the other, one of them degraded for long, then nodes by the fifty. */
async function update(world: World): Promise<void> {
  await beginUpdate(world, v2)
  await degrade(world, 'operator-39', 'True')
  for (let index = 0; index < operators; index++) {
    await world.sleep('80s')
    await updateOperator(world, index, v2)
    await count(world, index + 1)
  }
  await degrade(world, 'operator-39', 'False')
  await renderConfig(world, v2)
  const names = world.state.list(Node).map(({ metadata }) => metadata.name ?? '')
  const config = `rendered-${v2}`
  for (let index = 0; index < names.length; index += 50) {
    const batch = names.slice(index, index + 50)
    for (const notes of [
      { desiredConfig: config, state: 'Working', desiredDrain: `drain-${config}` },
      { state: 'Rebooting' },
      resting(v2),
    ]) {
      await Promise.all(batch.map((name) => note(world, name, notes)))
      await world.sleep('2m')
    }
  }
  await endUpdate(world)
  await world.sleep('5m')
}

describe('insights into a cluster of 40 operators and 500 nodes', () => {
  for (const mode of insightModes) {
    it(`are not written for an hour in which everything reports and nothing happens (${mode})`, { timeout: 120_000 }, async () => {
      let before = Number.POSITIVE_INFINITY
      const { writes, reconciles } = await simulate({
        seed: 1,
        definitions,
        given: large,
        controllers: () => insightControllers({ mode }),
        async world(world) {
          await untilTold(world)
          before = world.clock.now()
          await world.sleep('30m')
          await chatter(world)
          await world.sleep('30m')
        },
      })
      const [first, later] = [written(writes).filter(({ at }) => at < before), written(writes).filter(({ at }) => at >= before)]
      assert.deepEqual(later.map(String), [])
      // One object and its status for each operator, each node, two pools and the cluster version; a pool may be written as its nodes come in.
      const all = 2 * (operators + nodes + 3)
      assert.ok(first.length >= all && first.length < all + 20, `${first.length} writes`)
      assert.ok(reconciles < 5000, `${reconciles} passes`)
    })
  }

  it('are written during an update as often as there is something to tell, and no more', { timeout: 120_000 }, async () => {
    let [begun, ended] = [0, 0]
    const { writes } = await simulate({
      seed: 1,
      definitions,
      given: large,
      controllers: () => insightControllers(),
      limit: '12h',
      async world(world) {
        await untilTold(world)
        begun = world.clock.now()
        await update(world)
        ended = world.clock.now()
      },
    })
    assertEconomical(
      writes.filter(({ at }) => at >= begun),
      ended - begun,
    )
  })
})

/** Section 2.10: what was written, held against the reasons that there were. */
function assertEconomical(writes: readonly Write[], duration: number): void {
  const of = (kind: Resource, isMeant: (write: Write) => boolean = () => true): number =>
    writes.filter((write) => write.isOf(kind) && isMeant(write)).length
  const assertAtMost = (kind: Resource, reasons: number): void => {
    assert.ok(of(kind) > 0, `${kind.kind} was never written`)
    assert.ok(of(kind) <= reasons, `${kind.kind}: ${of(kind)} writes for ${reasons} reasons`)
  }
  const said = of(ClusterVersion, ({ object, before }) => !equalJson(statusOf(object), statusOf(before)))
  const reported = of(ClusterOperator, ({ object, before }) => !equalJson(statusOf(object), statusOf(before)))
  // What the version operator says, how far it is, and the estimate, which is made anew every minute.
  assertAtMost(ClusterVersionProgressInsight, said + operators + duration / 60_000)
  // Each operator begins to wait, says something, and has its arrival noted.
  assertAtMost(ClusterOperatorProgressInsight, operators + reported + operators)
  // Each node begins to wait, and goes from step to step.
  assertAtMost(NodeProgressInsight, nodes + of(Node))
  // Pools follow their nodes; each begins to wait, and has its arrival noted.
  assertAtMost(MachineConfigPoolProgressInsight, of(NodeProgressInsight) + 4)
  // Each comes, says what it is, becomes worse once at most, and goes.
  const found = new Set(writes.filter((write) => write.isOf(UpdateHealthInsight)).map(({ name }) => name))
  assertAtMost(UpdateHealthInsight, 4 * found.size)
}

function statusOf(object: KubernetesObject | undefined): unknown {
  return object === undefined ? undefined : Reflect.get(object, 'status')
}
