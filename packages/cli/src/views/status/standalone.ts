import { findCondition, type Instant, isFalse } from '@windlass/core'
import type { ClusterInsights, Learned } from '@windlass/insights'
import { Failure } from '../../failures.ts'
import { healthOf, worstFirst } from './health.ts'
import { doubtsIn, isDoubtful, learnedOf } from './learned.ts'
import { nodeOf } from './nodes.ts'
import { operatorsOf } from './operators.ts'
import { controlPlanePool, isBehind, poolOf, poolsInOrder } from './pools.ts'
import { threshold, timesOf } from './times.ts'
import { versionsOf } from './versions.ts'
import type { ControlPlaneView, LearnedView, PoolView, StatusView, TimesView } from './view.ts'

interface Known {
  readonly insights: ClusterInsights
  readonly learned?: Learned
  readonly notes?: readonly string[]
}

/**
 * How the update of a standalone cluster goes.
 *
 * # Errors
 *
 * `Failure`, when there is no insight into the cluster version, or one that does not say whether it is updating.
 */
export function standaloneStatus({ insights, learned, notes = [] }: Known, now: Instant): StatusView {
  const { clusterVersion, operators, pools, nodes, health } = insights
  const status = clusterVersion?.status
  if (status === undefined) throw new Failure("failed to find ClusterVersionProgressInsight with name 'version'")
  if (findCondition(status.conditions, 'Updating') === undefined) {
    throw new Failure(
      "ClusterVersionProgressInsight 'version' has no Updating condition: it cannot be told whether the cluster is updating",
    )
  }
  const isCompleted = isFalse(status.conditions, 'Updating')
  const times = timesOf(status, now)
  const views = pools.flatMap(({ status: pool }): readonly PoolView[] => {
    if (pool === undefined) return []
    const mine = nodes.flatMap(({ status: node }) => (node !== undefined && node.poolResource.name === pool.name ? [nodeOf(node)] : []))
    const estimate = learnedOf(learned?.pools.get(pool.name))
    return [{ ...poolOf(pool, mine), ...(estimate === undefined ? {} : { learned: estimate }) }]
  })
  const masters = views.find(({ name }) => name === controlPlanePool)
  const versions = versionsOf(status.versions)
  // To move to another architecture is like no update before it.
  const estimate = isCompleted || versions.isMultiArchitecture ? undefined : learnedOf(learned?.controlPlane)
  const controlPlane: ControlPlaneView = {
    assessment: shownAssessment(status.assessment, times, estimate),
    isCompleted,
    versions,
    completionPercent: status.completionPercent,
    times,
    ...(estimate === undefined ? {} : { learned: estimate }),
    parts: operatorsOf(operators),
    ...(masters === undefined ? {} : { nodes: masters }),
  }
  const areWorkersBehind = pools.some(({ status: pool }) => pool !== undefined && pool.name !== controlPlanePool && isBehind(pool))
  const workers = poolsInOrder(views.filter((pool) => pool !== masters))
  return {
    isUpdating: !isCompleted || areWorkersBehind,
    controlPlane,
    pools: workers,
    health: worstFirst([...healthOf(health), ...doubtsIn(controlPlane, workers)]),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

/** An update that does not move is the worst news; one that is late is none when it is known to be degraded. */
function shownAssessment(assessment: string, { remainingSeconds }: TimesView, learned: LearnedView | undefined): string {
  const remaining = (remainingSeconds ?? 0) * 1000
  if (remaining < -threshold) return 'Stalled'
  if (assessment === 'Degraded') return 'Degraded'
  return remaining < 0 || (assessment === 'Progressing' && isDoubtful(learned)) ? 'Progressing - Slow' : assessment
}
