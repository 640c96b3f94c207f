import type { ClusterOperatorProgressInsight } from '@windlass/api'
import { findCondition, isTrue } from '@windlass/core'
import type { PartsView, UpdatingPart } from './view.ts'

/** How many operators have got where, and how they are. */
export function operatorsOf(insights: readonly ClusterOperatorProgressInsight[]): PartsView {
  const is = (type: string, reason: string): number =>
    insights.filter(({ status }) => findCondition(status?.conditions, type)?.reason === reason).length
  const healthy = insights.filter(({ status }) => isTrue(status?.conditions, 'Healthy')).length
  const unavailable = is('Healthy', 'Unavailable')
  const degraded = is('Healthy', 'Degraded')
  return {
    kind: 'operators',
    updated: is('Updating', 'Updated'),
    waiting: is('Updating', 'Pending'),
    updating: insights.flatMap(updatingPart).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    healthy,
    unavailable,
    degraded,
    unknown: insights.length - healthy - unavailable - degraded,
  }
}

function updatingPart({ metadata: { name = '' }, status }: ClusterOperatorProgressInsight): readonly UpdatingPart[] {
  const condition = findCondition(status?.conditions, 'Updating')
  if (condition?.status !== 'True') return []
  const { lastTransitionTime, reason, message } = condition
  return [{ name, since: lastTransitionTime, reason, message }]
}
