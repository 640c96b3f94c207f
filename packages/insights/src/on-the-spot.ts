import {
  type ClusterOperator,
  ClusterOperatorProgressInsight,
  type ClusterVersion,
  ClusterVersionProgressInsight,
  type KubernetesObject,
  type MachineConfig,
  type MachineConfigPool,
  MachineConfigPoolProgressInsight,
  type Node,
  NodeProgressInsight,
  type Pod,
  type PodDisruptionBudget,
  type Resource,
  UpdateHealthInsight,
} from '@windlass/api'
import { type Instant, transitionTime } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { assessClusterOperator } from './cluster-operator/index.ts'
import { observe as observeOperator } from './cluster-operator/health.ts'
import { updatedOperators } from './cluster-operator/index.ts'
import { assessClusterVersion, lastProgressOf } from './cluster-version/index.ts'
import { begunAt, type InsightCondition } from './conditions.ts'
import { nameOf, statusOf } from './health/decide.ts'
import { isUpdateInProgress, type Manager, type Observation } from './health/index.ts'
import { assessPool } from './machine-config-pool/index.ts'
import { observe as observePool } from './machine-config-pool/health.ts'
import { versionAnnotation } from './node/annotations.ts'
import { blockingBudgets } from './node/drain.ts'
import { observe as observeNode } from './node/health.ts'
import { assessNode, countNodes, evaluateNode, type NodeState, poolOf } from './node/index.ts'
import { poolFrom } from './node/pools.ts'

/** What the insights of a cluster are made from. */
export interface ClusterObjects {
  readonly clusterVersion: ClusterVersion
  readonly operators: readonly ClusterOperator[]
  readonly pools: readonly MachineConfigPool[]
  /** At least those that nodes have or should have. */
  readonly configs: readonly MachineConfig[]
  readonly nodes: readonly Node[]
  /** At least those on nodes that are being drained, and the budgets of their namespaces. */
  readonly pods: readonly Pod[]
  readonly budgets: readonly PodDisruptionBudget[]
}

/** All insights of a cluster. */
export interface ClusterInsights {
  /** Undefined when the version operator names no version. */
  readonly clusterVersion: ClusterVersionProgressInsight | undefined
  readonly operators: readonly ClusterOperatorProgressInsight[]
  readonly pools: readonly MachineConfigPoolProgressInsight[]
  readonly nodes: readonly NodeProgressInsight[]
  readonly health: readonly UpdateHealthInsight[]
}

/**
 * The insights of a cluster where no controller keeps them, by the same rules (`extended` mode).
 *
 * Caveat: there is no memory in it. Since when something is so, and when the update moved last, comes from the objects where they tell, and is now where they do
 * not.
 */
export function insightsOnTheSpot(cluster: ClusterObjects, now: Instant): ClusterInsights {
  const states = statesOf(cluster)
  const pools = cluster.pools.map((pool) => {
    const mine = states.filter(({ state }) => state.pool.name === pool.metadata.name).map(({ state }) => state)
    return insight(MachineConfigPoolProgressInsight, pool, assessPool({ pool, counts: countNodes(mine) }, undefined, now, 'extended'))
  })
  const updated = updatedOperators(cluster.operators, 'extended')
  const surroundings = { operators: cluster.operators, pools, lastProgressAt: lastProgressOf(cluster.clusterVersion, updated) }
  const control = assessClusterVersion(cluster.clusterVersion, undefined, surroundings, now, 'extended')
  const operators = updated.map((operator) => {
    const desired = cluster.clusterVersion.status?.desired.version ?? ''
    const status = assessClusterOperator(operator, desired, undefined, now)
    return { operator, status: { ...status, conditions: (status.conditions ?? []).map((each) => sinceOperatorSays(each, operator)) } }
  })
  const nodes = states.map(({ node, state }) => {
    const status = assessNode(state, undefined, now)
    return { node, state, status: { ...status, conditions: (status.conditions ?? []).map((each) => sinceCordoned(each, node)) } }
  })
  const isInProgress = isUpdateInProgress(control.status, pools)
  const troubles = isInProgress
    ? [
        ...operators.flatMap(({ operator, status }) =>
          healthFrom('clusteroperator', observeOperator(operator, status, now).observations, now),
        ),
        ...cluster.pools.flatMap((pool, index) => {
          const status = pools[index]?.status
          return status === undefined ? [] : healthFrom('machineconfigpool', observePool(pool, status), now)
        }),
        ...nodes.flatMap(({ node, state, status }) => {
          const budgets = state.phase === 'Draining' ? budgetsAgainst(node, cluster) : []
          return healthFrom('node', observeNode({ state, progress: status, budgets }, now).observations, now)
        }),
      ]
    : []
  return {
    clusterVersion:
      control.status === undefined ? undefined : insight(ClusterVersionProgressInsight, cluster.clusterVersion, control.status),
    operators: operators.map(({ operator, status }) => insight(ClusterOperatorProgressInsight, operator, status)),
    pools,
    nodes: nodes.map(({ node, status }) => insight(NodeProgressInsight, node, status)),
    health: [...healthFrom('clusterversion', control.observations, now), ...troubles],
  }
}

function statesOf(cluster: ClusterObjects): readonly { readonly node: Node; readonly state: NodeState }[] {
  const versions = new Map(cluster.configs.map(({ metadata }) => [metadata.name ?? '', metadata.annotations?.[versionAnnotation] ?? '']))
  const target = {
    version: cluster.clusterVersion.status?.history?.[0]?.version ?? '',
    versionOf: (config: string) => versions.get(config) || undefined,
  }
  const pools = cluster.pools.map(poolFrom)
  return cluster.nodes.flatMap((node) => {
    const pool = poolOf(node.metadata.labels, pools)
    return pool === undefined ? [] : [{ node, state: evaluateNode(node, pool, target) }]
  })
}

function budgetsAgainst(node: Node, { pods, budgets }: ClusterObjects) {
  return blockingBudgets(
    pods.filter(({ spec }) => spec.nodeName === node.metadata.name),
    (namespace) => budgets.filter(({ metadata }) => metadata.namespace === namespace),
  )
}

/** Which conditions of an operator are behind those of its insight. */
const sources: Readonly<Record<string, readonly string[]>> = { Updating: ['Progressing'], Healthy: ['Available', 'Degraded'] }

function sinceOperatorSays(condition: InsightCondition, { status }: ClusterOperator): InsightCondition {
  const times = (sources[condition.type] ?? []).map((type) => transitionTime(status?.conditions, type)).filter((time) => time !== undefined)
  return times.length === 0 ? condition : begunAt(condition, Math.max(...times))
}

/** A node that is updated has been so since it was cordoned; its daemon notes no times. */
function sinceCordoned(condition: InsightCondition, { spec }: Node): InsightCondition {
  const cordoned = spec.taints?.find(({ key }) => key === 'node.kubernetes.io/unschedulable')?.timeAdded
  const isMeant = condition.type === 'Updating' && condition.status === 'True' && cordoned !== undefined
  return isMeant ? { ...condition, lastTransitionTime: cordoned } : condition
}

function healthFrom(manager: Manager, observations: readonly Observation[], now: Instant): readonly UpdateHealthInsight[] {
  return observations.map((observation) =>
    insight(UpdateHealthInsight, { metadata: { name: nameOf(manager, observation) } }, statusOf(observation, undefined, now)),
  )
}

function insight<T extends KubernetesObject>(kind: Resource<T>, { metadata }: Pick<KubernetesObject, 'metadata'>, status: StatusOf<T>): T {
  const { apiVersion, kind: name } = kind
  // Every insight is made like this; TypeScript cannot put a generic object together from its parts.
  return { apiVersion, kind: name, metadata: { name: metadata.name }, spec: {}, status } as unknown as T
}
