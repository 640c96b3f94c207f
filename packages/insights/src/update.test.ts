import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterOperatorProgressInsight,
  ClusterVersionProgressInsight,
  type KubernetesObject,
  MachineConfigPoolProgressInsight,
  Namespace,
  NodeProgressInsight,
  Pod,
  PodDisruptionBudget,
  UpdateHealthInsight,
} from '@windlass/api'
import { aPod } from '@windlass/api/fixtures'
import type { Client } from '@windlass/kube'
import { forEachSeed, type Invariant, simulate, type World } from '@windlass/kube/simulation'
import type { InsightCondition } from './conditions.ts'
import { insightControllers } from './index.ts'
import { v1, v2 } from './testing/index.ts'
import { definitions, restingCluster, version } from './testing/simulated.ts'
import { beginUpdate, endUpdate, renderConfig, updateNode, updateOperator } from './testing/update.ts'

const given = (client: Client): Promise<void> => restingCluster(client, { operators: 4, nodes: { master: 1, worker: 2 }, running: v1 })

const conditionsOf = (object: KubernetesObject | undefined): readonly InsightCondition[] => {
  const status =
    object === undefined ? undefined : (Reflect.get(object, 'status') as { readonly conditions?: readonly InsightCondition[] } | undefined)
  return status?.conditions ?? []
}

const kinds = [ClusterVersionProgressInsight, ClusterOperatorProgressInsight, MachineConfigPoolProgressInsight]

const invariants: readonly Invariant[] = [
  ...kinds.map((of): Invariant => ({
    name: `the time of a transition moves only with the status (${of.kind})`,
    of,
    holds(write) {
      const before = new Map(conditionsOf(write.before).map((condition) => [condition.type, condition]))
      const moved = conditionsOf(write.object).find(({ type, status, lastTransitionTime }) => {
        const old = before.get(type)
        return old !== undefined && old.status === status && old.lastTransitionTime !== lastTransitionTime
      })
      return moved === undefined || JSON.stringify(moved)
    },
  })),
  {
    name: 'a health insight has an owner and both labels',
    of: UpdateHealthInsight,
    holds(write) {
      const { ownerReferences = [], labels = {} } = write.object.metadata
      return (ownerReferences.length === 1 && Object.keys(labels).length === 2) || JSON.stringify(write.object.metadata)
    },
  },
]

const controlPlane = (world: World) => world.state.get(ClusterVersionProgressInsight, version)?.status
const pool = (world: World, name: string) => world.state.get(MachineConfigPoolProgressInsight, { name })?.status
const reasons = (world: World, kind: typeof NodeProgressInsight | typeof ClusterOperatorProgressInsight): ReadonlySet<string> =>
  new Set(world.state.list<KubernetesObject>(kind).map((insight) => conditionsOf(insight)[0]?.reason ?? ''))

async function wholeUpdate(world: World): Promise<void> {
  await beginUpdate(world, v2)
  for (let index = 0; index < 4; index++) {
    await world.sleep('2m')
    await updateOperator(world, index, v2)
  }
  await renderConfig(world, v2)
  await updateNode(world, 'master-0', v2, '1m')
  await endUpdate(world)
  await updateNode(world, 'worker-0', v2, '12m')
  await updateNode(world, 'worker-1', v2, '1m')
}

describe('a whole update', () => {
  it('is told to its end whatever goes wrong, and leaves no complaint behind', { timeout: 120_000 }, async () => {
    await forEachSeed({ count: 2 }, (seed) =>
      simulate({
        seed,
        definitions,
        given,
        controllers: () => insightControllers(),
        processes: 2,
        faults: 'all',
        calmAfter: '20m',
        invariants,
        async world(world) {
          await wholeUpdate(world)
          await world.calm()
          await world.settled({ within: '30m', quietFor: '3m' })
          assert.deepEqual([controlPlane(world)?.assessment, controlPlane(world)?.completionPercent], ['Completed', 100])
          assert.deepEqual([pool(world, 'master')?.assessment, pool(world, 'worker')?.assessment], ['Completed', 'Completed'])
          assert.deepEqual([...reasons(world, ClusterOperatorProgressInsight)], ['Updated'])
          assert.deepEqual([...reasons(world, NodeProgressInsight)], ['Completed'])
          assert.deepEqual(world.state.list(UpdateHealthInsight), [])
        },
      }),
    )
  })

  it('T107 [ext] is told to be held up by a budget while a node drains, and not for longer', async () => {
    await simulate({
      seed: 1,
      definitions,
      given,
      controllers: () => insightControllers(),
      invariants,
      async world(world) {
        const { client } = world
        await client.create(Namespace, { metadata: { name: 'shop' } })
        const { metadata: _, status: _status, ...pod } = aPod({ node: 'worker-0' })
        await client.create(Pod, { ...pod, metadata: { namespace: 'shop', name: 'checkout', labels: { app: 'checkout' } } })
        const budget = {
          metadata: { namespace: 'shop', name: 'checkout' },
          spec: { selector: { matchLabels: { app: 'checkout' } }, minAvailable: 1 },
        }
        await client.create(PodDisruptionBudget, budget)
        const status = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
        await client.patchStatus(PodDisruptionBudget, budget.metadata, { status })
        await beginUpdate(world, v2)
        await renderConfig(world, v2)
        const update = updateNode(world, 'worker-0', v2, '20m')
        await world.sleep('10m')
        assert.equal(world.state.count(UpdateHealthInsight), 0)
        await world.sleep('1m')
        const [insight] = world.state.list(UpdateHealthInsight)
        assert.equal(insight?.status?.impact.summary, 'Draining of node worker-0 is blocked')
        assert.deepEqual(insight.status.scope.resources?.[1], {
          group: 'policy',
          resource: 'poddisruptionbudgets',
          namespace: 'shop',
          name: 'checkout',
        })
        await update
        await world.sleep('10s')
        assert.equal(world.state.count(UpdateHealthInsight), 0)
      },
    })
  })
})
