import type { ClusterOperator } from '@windlass/api'
import { isFalse, isTrue } from '@windlass/core'
import type { Seen } from '../observed/seen.ts'
import { type HealthCheck, healthy, unhealthy } from './check.ts'

const reasons = ['cluster_operator_status_failed', 'cluster_operators_degraded'] as const
const token = 'ClusterOperatorsHealthcheckFailed'

/** An operator is bad when it says so. One that does not know, or says nothing, is not. */
export function checkOperators(operators: Seen<readonly ClusterOperator[]>): HealthCheck {
  if ('problem' in operators) {
    return unhealthy(reasons, 'cluster_operator_status_failed', `cluster operators could not be listed: ${operators.problem}`, token)
  }
  const bad = operators.value.filter(({ status }) => isTrue(status?.conditions, 'Degraded') || isFalse(status?.conditions, 'Available'))
  if (bad.length === 0) return healthy(reasons)
  const names = bad.map(({ metadata }) => metadata.name ?? '')
  return unhealthy(reasons, 'cluster_operators_degraded', `degraded operators: ${names.join(', ')}`, token)
}
