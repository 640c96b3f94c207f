import { parseTime } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { asExpected, isNot } from './verdict.ts'
import type { Verdict } from './verdict.ts'

/** Whether changes are stopped, and what the condition ReconciliationActive says about it. */
export interface Pause {
  readonly isPaused: boolean
  /** When it ends by itself; undefined when it does not. */
  readonly until: Instant | undefined
  readonly active: Verdict
}

const goesOn: Pause = { isPaused: false, until: undefined, active: asExpected('Reconciliation active on resource') }

const stopped: Pause = {
  isPaused: true,
  until: undefined,
  active: isNot('ReconciliationPaused', 'Reconciliation paused until field removed'),
}

/** What cannot be read does not stop anything: a typing error must not keep a cluster from being repaired. */
const misspelt: Pause = {
  isPaused: false,
  until: undefined,
  active: { status: 'True', reason: 'InvalidPausedUntilValue', message: 'Invalid value provided for PausedUntil field' },
}

/** Reads `spec.pausedUntil` of a cluster, of a control plane or of a node pool. */
export function pauseOf(pausedUntil: string | undefined, now: Instant): Pause {
  if (pausedUntil === undefined || pausedUntil === '' || pausedUntil === 'false' || pausedUntil === 'False') return goesOn
  if (pausedUntil === 'true' || pausedUntil === 'True') return stopped
  const until = parseTime(pausedUntil)
  if (until === undefined) return misspelt
  if (until <= now) return goesOn
  return { isPaused: true, until, active: isNot('ReconciliationPaused', `Reconciliation paused until: ${pausedUntil}`) }
}
