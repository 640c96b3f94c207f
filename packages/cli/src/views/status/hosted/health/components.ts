import type { ControlPlaneComponent } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { HealthView } from '../../view.ts'
import { hasFailed } from '../control-plane.ts'
import { about, byCondition, denied, lasts, withReason } from './observed.ts'

const minute = 60_000

/** As for the operators of a standalone cluster. */
const unavailableFor = { warning: 5 * minute, error: 20 * minute } as const

/** What is wrong with a component of the control plane. */
export function componentHealth(component: ControlPlaneComponent, now: Instant): readonly HealthView[] {
  const { metadata, status } = component
  if (metadata.deletionTimestamp !== undefined) return []
  const { name = '' } = metadata
  const it = about('controlplanecomponents', component)
  const absence = denied(status?.conditions, 'Available')
  const rollout = denied(status?.conditions, 'RolloutComplete')
  const isAway = absence !== undefined && lasts(absence, unavailableFor.warning, now)
  const away: readonly HealthView[] = isAway
    ? [
        {
          ...it,
          ...byCondition(absence),
          name: `component-${name}-unavailable`,
          level: lasts(absence, unavailableFor.error, now) ? 'Error' : 'Warning',
          impact: 'API Availability',
          summary: withReason(`Component ${name} is unavailable`, absence),
        },
      ]
    : []
  if (rollout === undefined || !hasFailed(component)) return away
  return [
    ...away,
    {
      ...it,
      ...byCondition(rollout),
      name: `component-${name}-failed`,
      level: 'Warning',
      impact: 'Update Stalled',
      summary: withReason(`Component ${name} cannot be rolled out`, rollout),
    },
  ]
}
