import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  MachineConfig,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  Node,
  NodeProgressInsight,
  type PodDisruptionBudget,
  UpdateHealthInsight,
} from '@windlass/api'
import { aPod, aPodDisruptionBudget } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import type { InsightCondition } from './conditions.ts'
import { type ClusterInsights, type ClusterObjects, insightControllers, insightsOnTheSpot } from './index.ts'
import { aClusterVersion, aConfig, aNode, aPool, condition, operatorAt, start, v1, v2 } from './testing/index.ts'
import { definitions, restingCluster, version } from './testing/simulated.ts'
import { beginUpdate, endUpdate, renderConfig, updateNode, updateOperator } from './testing/update.ts'

const minute = 60_000

/** What was said, without since when. */
const told = (conditions: readonly InsightCondition[] | undefined): readonly string[] =>
  (conditions ?? []).map(({ type, status, reason, message }) => `${type}=${status} ${reason} ${message}`)

function summary({ clusterVersion, operators, pools, nodes, health }: ClusterInsights): object {
  const byName = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
    items.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const { status } = clusterVersion ?? {}
  return {
    control: [
      status?.assessment,
      status?.completionPercent,
      status?.versions,
      status?.startedAt,
      status?.completedAt,
      told(status?.conditions),
    ],
    operators: byName(operators.map(({ metadata: { name = '' }, status: is }) => ({ name, told: told(is?.conditions) }))),
    pools: byName(
      pools.map(({ metadata: { name = '' }, status: is }) => ({
        name,
        is: [is?.assessment, is?.completionPercent, is?.summaries],
        told: told(is?.conditions),
      })),
    ),
    nodes: byName(
      nodes.map(({ metadata: { name = '' }, status: is }) => ({ name, is: [is?.version, is?.message], told: told(is?.conditions) })),
    ),
    health: byName(health.map(({ metadata: { name = '' }, status: is }) => ({ name, impact: is?.impact, scope: is?.scope }))),
  }
}

function objectsIn({ state }: World): ClusterObjects {
  return {
    clusterVersion: state.get(ClusterVersion, version) ?? assert.fail(),
    operators: state.list(ClusterOperator),
    pools: state.list(MachineConfigPool),
    configs: state.list(MachineConfig),
    nodes: state.list(Node),
    pods: [],
    budgets: [],
  }
}

const keptIn = ({ state }: World): ClusterInsights => ({
  clusterVersion: state.get(ClusterVersionProgressInsight, version),
  operators: state.list(ClusterOperatorProgressInsight),
  pools: state.list(MachineConfigPoolProgressInsight),
  nodes: state.list(NodeProgressInsight),
  health: state.list(UpdateHealthInsight),
})

describe('insights on the spot', () => {
  it('say what controllers keep, in every phase of an update', async () => {
    const given = (client: Client): Promise<void> => restingCluster(client, { operators: 4, nodes: { master: 1, worker: 2 }, running: v1 })
    let compared = 0
    const compare = async (world: World): Promise<void> => {
      await world.sleep('5s')
      compared++
      assert.deepEqual(summary(insightsOnTheSpot(objectsIn(world), world.clock.now())), summary(keptIn(world)), `look ${compared}`)
    }
    await simulate({
      seed: 1,
      definitions,
      given,
      controllers: () => insightControllers(),
      limit: '12h',
      world: async (world) => {
        await compare(world)
        await beginUpdate(world, v2)
        await compare(world)
        for (let index = 0; index < 4; index++) {
          await updateOperator(world, index, v2)
          await compare(world)
        }
        await renderConfig(world, v2)
        await updateNode(world, 'master-0', v2, '1m')
        await compare(world)
        await endUpdate(world)
        await compare(world)
        await updateNode(world, 'worker-0', v2, '1m')
        await compare(world)
        await updateNode(world, 'worker-1', v2, '1m')
        await compare(world)
      },
    })
    assert.equal(compared, 10)
  })

  const cluster = (parts: Partial<ClusterObjects> = {}): ClusterObjects => ({
    clusterVersion: aClusterVersion(),
    operators: [],
    pools: [],
    configs: [],
    nodes: [],
    pods: [],
    budgets: [],
    ...parts,
  })

  it('know since when an operator is on its way, from the operator', () => {
    const { versions, conditions = [] } = operatorAt(v1).status ?? assert.fail()
    const progressing = conditions.map((each) =>
      each.type === 'Progressing' ? condition('Progressing', 'True', { since: start + minute }) : each,
    )
    const operator = {
      ...operatorAt(v1, { name: 'network' }),
      status: { ...(versions === undefined ? {} : { versions }), conditions: progressing },
    }
    const { operators, health } = insightsOnTheSpot(cluster({ operators: [operator] }), start + 32 * minute)
    const updating = operators[0]?.status?.conditions?.find(({ type }) => type === 'Updating')
    assert.equal(updating?.lastTransitionTime, formatTime(start + minute))
    assert.deepEqual(
      health.map(({ status }) => status?.impact.summary),
      ['Cluster Operator network is updating longer than expected'],
    )
  })

  it('W13 know from the operators when the update moved last: one that stands still becomes late, and then has stalled', () => {
    const moved = { since: start + 40 * minute }
    const operators = Array.from({ length: 33 }, (_, index) => {
      const operator = operatorAt(index === 0 ? v1 : v2, { name: `operator-${index}` })
      return { ...operator, status: { ...operator.status, conditions: [condition('Progressing', 'False', moved)] } }
    })
    const { clusterVersion, health } = insightsOnTheSpot(cluster({ operators }), start + 80 * minute)
    assert.equal(clusterVersion?.status?.lastObservedProgress, formatTime(moved.since))
    assert.equal(clusterVersion?.status?.estimatedCompletedAt, '2025-06-27T13:01:07Z')
    assert.equal(clusterVersion?.status?.assessment, 'Degraded')
    assert.deepEqual(
      health.map(({ status }) => `${status?.impact.level} ${status?.impact.type}`),
      ['Error Update Stalled'],
    )
  })

  it('know since when a node is drained, from its taint, and which budgets are in the way', () => {
    const notes = { currentConfig: 'C1', desiredConfig: 'C2', state: 'Working', desiredDrain: 'drain-C2', lastAppliedDrain: 'uncordon-C1' }
    const node = aNode({ name: 'worker-b', notes, isUnschedulable: true })
    const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule', timeAdded: formatTime(start) } as const
    const budget: PodDisruptionBudget = aPodDisruptionBudget({
      name: 'checkout',
      namespace: 'shop',
      spec: { selector: { matchLabels: { app: 'checkout' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    })
    const metadata = { name: 'checkout-1', namespace: 'shop', labels: { app: 'checkout' } }
    const { health } = insightsOnTheSpot(
      cluster({
        pools: [aPool('worker')],
        configs: [aConfig('C1', v1), aConfig('C2', v2)],
        nodes: [{ ...node, spec: { ...node.spec, taints: [taint] } }],
        pods: [aPod({ metadata, spec: { nodeName: 'worker-b' } })],
        budgets: [budget],
      }),
      start + 15 * minute,
    )
    assert.deepEqual(
      health.map(({ metadata: { name } }) => name),
      ['node-5x2sjgjwsyjs233dfbiht5dbfy'],
    )
  })

  it('are none about a version that nobody knows', () => {
    const nameless = aClusterVersion({ history: [], desired: '' })
    assert.equal(insightsOnTheSpot(cluster({ clusterVersion: nameless }), start).clusterVersion, undefined)
  })
})
