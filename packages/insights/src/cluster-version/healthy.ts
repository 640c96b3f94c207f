import type { ClusterOperator, ClusterVersion, ClusterVersionProgressInsight } from '@windlass/api'
import { type Condition, type Duration, findCondition, type Instant, parseTime } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { type Judgement, reasonOr } from '../conditions.ts'
import { earliest, stageAt } from '../health/index.ts'
import { differByMuch } from '../significance.ts'

const minute = 60_000
/** From when on it is the update's problem, and not only the operator's. */
export const operatorLimits = { unavailable: 20 * minute, degraded: 40 * minute } as const
/** An update that is later than this does not move any more. */
export const stalledAfter = 10 * minute

/** What the health of an update is judged by. */
export interface HealthSigns {
  readonly clusterVersion: ClusterVersion
  readonly updating: Judgement
  /** Those that are updated. */
  readonly operators: readonly ClusterOperator[]
  readonly lastObservedProgress: string
  /** Undefined where there is no estimate. */
  readonly estimate: { readonly completedAt: string; readonly overdue: Duration } | undefined
  /** What was published last. */
  readonly stored: StatusOf<ClusterVersionProgressInsight> | undefined
  /** How much sooner than in a real cluster things have taken too long. */
  readonly speed: number
}

/** How well the update goes; the first row that fits counts. What operators do not say is never held against them. */
export function judgeHealthy(signs: HealthSigns, now: Instant): { readonly judgement: Judgement; readonly nextAt: Instant | undefined } {
  const { clusterVersion, updating, operators, estimate, speed } = signs
  const failing = findCondition(clusterVersion.status?.conditions, 'Failing')
  const isUpdating = updating.status === 'True'
  const unavailable = troubled(operators, 'Available', 'False', operatorLimits.unavailable / speed, now)
  const degraded = troubled(operators, 'Degraded', 'True', operatorLimits.degraded / speed, now)
  const nextAt = isUpdating ? earliest(unavailable.nextAt, degraded.nextAt) : undefined
  const judged = (status: Judgement['status'], reason: string, message: string) => ({
    judgement: { type: 'Healthy', status, reason, message },
    nextAt,
  })
  if (failing?.status === 'True')
    return judged('False', 'ClusterVersionFailing', `Failing=True(Reason=${failing.reason ?? ''}): ${failing.message ?? ''}`)
  if (isUpdating && unavailable.names.length > 0)
    return judged('False', 'OperatorsUnavailable', `Unavailable for more than 20 minutes: ${unavailable.names.join(', ')}`)
  if (isUpdating && degraded.names.length > 0)
    return judged('False', 'OperatorsDegraded', `Degraded for more than 40 minutes: ${degraded.names.join(', ')}`)
  if (isUpdating && estimate !== undefined && estimate.overdue > stalledAfter / speed)
    return judged('False', 'UpdateStalled', stalledMessage(signs, estimate.completedAt))
  if (failing?.status === 'Unknown')
    return judged(
      'Unknown',
      reasonOr(failing.reason, 'CannotDetermine'),
      `Failing=Unknown(Reason=${failing.reason ?? ''}): ${failing.message ?? ''}`,
    )
  if (updating.status === 'Unknown')
    return judged('Unknown', 'CannotDetermine', 'It is not known whether the control plane is being updated')
  if (failing === undefined) return judged('Unknown', 'CannotDetermine', 'No Failing condition in ClusterVersion')
  return judged('True', 'AsExpected', 'No problems observed')
}

/** The estimate moves by some seconds with every look. In words, the one that is published stands until it has moved by much. */
function stalledMessage({ stored, lastObservedProgress, speed }: HealthSigns, estimated: string): string {
  const published = stored?.estimatedCompletedAt
  const expected = published === undefined || differByMuch(published, estimated, speed) ? estimated : published
  return `No progress since ${lastObservedProgress}; expected to finish by ${expected}`
}

/** Names of operators that have been so for longer than the limit, and when the next one will have been. */
function troubled(
  operators: readonly ClusterOperator[],
  type: string,
  status: Condition['status'],
  limit: Duration,
  now: Instant,
): { readonly names: readonly string[]; readonly nextAt: Instant | undefined } {
  const names: string[] = []
  let nextAt: Instant | undefined
  for (const operator of operators) {
    const condition = findCondition(operator.status?.conditions, type)
    const since = parseTime(condition?.lastTransitionTime)
    if (condition?.status !== status || since === undefined) continue
    const reached = stageAt([{ after: limit }], since, now, 1)
    if (reached.stage !== undefined) names.push(operator.metadata.name ?? '')
    nextAt = earliest(nextAt, reached.nextAt)
  }
  return { names: names.sort(), nextAt }
}
