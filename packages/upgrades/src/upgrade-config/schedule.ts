import type { UpgradeConfig } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import type { OperatorConfig } from '../config/index.ts'

/** Whether it is time. */
export interface Readiness {
  readonly isReady: boolean
  /** Milliseconds until then; 0 when it is time, and when nobody can say. */
  readonly remaining: number
  /** It is time, but the window in which the upgrade should have begun is over. That is told and changes nothing: it begins at once. */
  readonly isBreached: boolean
}

export function readinessOf({ spec }: UpgradeConfig, config: OperatorConfig, now: Instant): Readiness {
  const at = parseTime(spec.upgradeAt)
  if (at === undefined) return { isReady: false, remaining: 0, isBreached: false }
  if (now <= at) return { isReady: false, remaining: at - now, isBreached: false }
  return { isReady: true, remaining: 0, isBreached: now > at + config['upgradeWindow.timeOut'] * config.minute }
}

/** How often to look while there is something to do: after New, and at each pass of an upgrade. */
export const passMinutes = 1

/** How often to look though nothing has happened that we know of. */
export const resyncMinutes = 5

/** Nearer than this, the pass is set to the moment itself; before that, the resync is good enough. */
const nearMinutes = 5

/** When to look again at an upgrade whose time has not come; undefined to leave it to the resync. */
export function untilStart(remaining: number, { minute }: OperatorConfig): number | undefined {
  return remaining > 0 && remaining < nearMinutes * minute ? remaining : undefined
}

/** Further away than this, there is time to repair what a health check finds. */
const earlyMinutes = 120

export function isFarAhead(remaining: number, { minute }: OperatorConfig): boolean {
  return remaining > earlyMinutes * minute
}
