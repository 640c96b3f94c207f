import type { ClusterOperator, ClusterOperatorProgressInsight } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { conditionsAfter, type Judgement } from '../conditions.ts'

export type ProgressStatus = StatusOf<ClusterOperatorProgressInsight>

/** How the update of one operator goes. */
export function assessClusterOperator(
  operator: ClusterOperator,
  desiredVersion: string,
  stored: ProgressStatus | undefined,
  now: Instant,
): ProgressStatus {
  const judgements = [judgeUpdating(operator, desiredVersion), judgeHealthy(operator)]
  return { name: operator.metadata.name ?? '', conditions: conditionsAfter(stored?.conditions, judgements, now) }
}

/** By what an operator says about its progress, while it does not have the version yet. */
const byProgress: Readonly<Record<string, Pick<Judgement, 'status' | 'reason'>>> = {
  True: { status: 'True', reason: 'Progressing' },
  False: { status: 'False', reason: 'Pending' },
}

/** An operator that has the version is updated, whatever else it does: many roll something out whenever a node restarts. */
function judgeUpdating({ status }: ClusterOperator, desiredVersion: string): Judgement {
  const progressing = findCondition(status?.conditions, 'Progressing')
  const message = progressing === undefined ? '' : `Progressing=${progressing.status}: ${progressing.message ?? ''}`
  const hasVersion =
    desiredVersion !== '' && status?.versions?.some(({ name, version }) => name === 'operator' && version === desiredVersion) === true
  const verdict = hasVersion ? ({ status: 'False', reason: 'Updated' } as const) : byProgress[progressing?.status ?? '']
  return { type: 'Updating', ...(verdict ?? { status: 'Unknown', reason: 'CannotDetermine' }), message }
}

const noAvailable = "The cluster operator is unavailable because the available condition is not found in the cluster operator's status"

/** An operator that is not available has no use for being called degraded. */
function judgeHealthy({ status }: ClusterOperator): Judgement {
  const type = 'Healthy'
  const available = findCondition(status?.conditions, 'Available')
  const degraded = findCondition(status?.conditions, 'Degraded')
  if (available === undefined) return { type, status: 'Unknown', reason: 'CannotDetermine', message: noAvailable }
  if (available.status !== 'True') return { type, status: 'False', reason: 'Unavailable', message: available.message ?? '' }
  if (degraded?.status === 'True') return { type, status: 'False', reason: 'Degraded', message: degraded.message ?? '' }
  return { type, status: 'True', reason: 'AsExpected', message: '' }
}
