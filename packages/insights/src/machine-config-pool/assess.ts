import { type MachineConfigPool, type MachineConfigPoolProgressInsight, nodeSummaries } from '@windlass/api'
import { type Instant, isTrue } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { conditionsAfter, type Judgement } from '../conditions.ts'
import type { InsightMode } from '../mode.ts'
import { isUpdating, type NodeState, scopeOf } from '../node/index.ts'

export type ProgressStatus = StatusOf<MachineConfigPoolProgressInsight>
type Summary = (typeof nodeSummaries)[number]

/** Which nodes are counted where; one may count in several. */
const counted: Readonly<Record<Summary, (state: NodeState) => boolean>> = {
  Total: () => true,
  Available: ({ unavailability }) => unavailability === undefined,
  Progressing: ({ phase }) => phase === 'Updating' || phase === 'Rebooting',
  Outdated: ({ phase }) => phase !== 'Completed',
  Draining: ({ phase }) => phase === 'Draining',
  Excluded: ({ phase }) => phase === 'Paused',
  Degraded: ({ degradation }) => degradation !== undefined,
}

/** What the API takes for a count. */
const most = 2000

export interface PoolSigns {
  readonly pool: MachineConfigPool
  /** Of its nodes. */
  readonly states: readonly NodeState[]
}

/** How the update of one pool of nodes goes. */
export function assessPool(
  { pool, states }: PoolSigns,
  stored: ProgressStatus | undefined,
  now: Instant,
  mode: InsightMode,
): ProgressStatus {
  const { name = '' } = pool.metadata
  const counts = countsOf(states)
  const cannotRender = mode === 'extended' && isTrue(pool.status?.conditions, 'RenderDegraded')
  const assessment = cannotRender ? 'Degraded' : assess(pool, states, counts)
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

type Counts = Readonly<Record<Summary, number>>
type Assessment = 'Pending' | 'Degraded' | 'Excluded' | 'Progressing' | 'Completed'

/** In one go: a pool may have thousands of nodes, and counts them whenever one of them moves. */
function countsOf(states: readonly NodeState[]): Counts {
  const counts = { Total: 0, Available: 0, Progressing: 0, Outdated: 0, Draining: 0, Excluded: 0, Degraded: 0 }
  for (const state of states) for (const summary of nodeSummaries) if (counted[summary](state)) counts[summary]++
  return counts
}

/** The first that fits. Between two nodes a pool is still progressing. */
function assess({ spec }: MachineConfigPool, states: readonly NodeState[], { Total, Degraded, Outdated }: Counts): Assessment {
  if (Total === 0) return 'Pending'
  if (Degraded > 0) return 'Degraded'
  if (spec.paused === true && Outdated > 0) return 'Excluded'
  if (states.some(isUpdating)) return 'Progressing'
  if (Outdated === 0) return 'Completed'
  return Outdated < Total ? 'Progressing' : 'Pending'
}

function judgeUpdating(assessment: Assessment, { Total, Outdated, Progressing, Draining }: Counts): Judgement {
  const type = 'Updating'
  const message = `${Total - Outdated} of ${Total} nodes are updated`
  const isMoving = assessment === 'Progressing' || (assessment === 'Degraded' && Progressing + Draining > 0)
  if (isMoving) return { type, status: 'True', reason: 'Progressing', message }
  const reason = assessment === 'Completed' ? 'Updated' : assessment === 'Excluded' ? 'Paused' : 'Pending'
  return { type, status: 'False', reason, message }
}

function judgeHealthy(assessment: Assessment, { Total, Degraded }: Counts, cannotRender: boolean): Judgement {
  const type = 'Healthy'
  if (Degraded > 0) return { type, status: 'False', reason: 'NodesDegraded', message: `${Degraded} of ${Total} nodes are degraded` }
  if (cannotRender) return { type, status: 'False', reason: 'RenderDegraded', message: 'The configuration of the pool cannot be rendered' }
  const well = { type, status: 'True', message: '' } as const
  if (assessment === 'Completed') return { ...well, reason: 'AllNodesUpdated' }
  if (assessment === 'Excluded') return { ...well, reason: 'Paused' }
  return { ...well, reason: Total === 0 ? 'NoNodes' : 'NoProblems' }
}
