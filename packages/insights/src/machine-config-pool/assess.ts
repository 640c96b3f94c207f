import { type MachineConfigPool, type MachineConfigPoolProgressInsight, nodeSummaries } from '@windlass/api'
import { type Instant, isTrue } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { conditionsAfter, type Judgement } from '../conditions.ts'
import type { InsightMode } from '../mode.ts'
import { type NodeCounts, scopeOf } from '../node/index.ts'

export type ProgressStatus = StatusOf<MachineConfigPoolProgressInsight>

/** What the API takes for a count. */
const most = 2000

export interface PoolSigns {
  readonly pool: MachineConfigPool
  /** Of its nodes. */
  readonly counts: NodeCounts
}

/** How the update of one pool of nodes goes. */
export function assessPool(
  { pool, counts }: PoolSigns,
  stored: ProgressStatus | undefined,
  now: Instant,
  mode: InsightMode,
): ProgressStatus {
  const { name = '' } = pool.metadata
  const cannotRender = mode === 'extended' && isTrue(pool.status?.conditions, 'RenderDegraded')
  const assessment = cannotRender ? 'Degraded' : assess(pool, counts)
  const judgements = [judgeUpdating(assessment, counts), judgeHealthy(assessment, counts, cannotRender)]
  const done = counts.Total - counts.Outdated
  return {
    name,
    scopeType: scopeOf(name),
    assessment,
    completionPercent: counts.Total === 0 ? 0 : Math.floor((100 * done) / counts.Total),
    summaries: nodeSummaries.map((type) => ({ type, count: Math.min(most, counts[type]) })),
    conditions: conditionsAfter(stored?.conditions, judgements, now),
  }
}

type Assessment = 'Pending' | 'Degraded' | 'Excluded' | 'Progressing' | 'Completed'

/** The first that fits. Between two nodes a pool is still progressing. */
function assess({ spec }: MachineConfigPool, { Total, Degraded, Outdated, Progressing, Draining }: NodeCounts): Assessment {
  if (Total === 0) return 'Pending'
  if (Degraded > 0) return 'Degraded'
  if (spec.paused === true && Outdated > 0) return 'Excluded'
  if (Progressing + Draining > 0) return 'Progressing'
  if (Outdated === 0) return 'Completed'
  return Outdated < Total ? 'Progressing' : 'Pending'
}

function judgeUpdating(assessment: Assessment, { Total, Outdated, Progressing, Draining }: NodeCounts): Judgement {
  const type = 'Updating'
  const message = `${Total - Outdated} of ${Total} nodes are updated`
  const isMoving = assessment === 'Progressing' || (assessment === 'Degraded' && Progressing + Draining > 0)
  if (isMoving) return { type, status: 'True', reason: 'Progressing', message }
  const reason = assessment === 'Completed' ? 'Updated' : assessment === 'Excluded' ? 'Paused' : 'Pending'
  return { type, status: 'False', reason, message }
}

function judgeHealthy(assessment: Assessment, { Total, Degraded }: NodeCounts, cannotRender: boolean): Judgement {
  const type = 'Healthy'
  if (Degraded > 0) return { type, status: 'False', reason: 'NodesDegraded', message: `${Degraded} of ${Total} nodes are degraded` }
  if (cannotRender) return { type, status: 'False', reason: 'RenderDegraded', message: 'The configuration of the pool cannot be rendered' }
  const well = { type, status: 'True', message: '' } as const
  if (assessment === 'Completed') return { ...well, reason: 'AllNodesUpdated' }
  if (assessment === 'Excluded') return { ...well, reason: 'Paused' }
  return { ...well, reason: Total === 0 ? 'NoNodes' : 'NoProblems' }
}
