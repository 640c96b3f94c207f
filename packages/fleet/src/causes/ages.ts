import { type Instant, parseTime } from '@windlass/core'

const minute = 60_000

/** How long things may take before it is strange that they do. */
export const patience = {
  /** A container that runs, until it is ready. */
  readiness: 3 * minute,
  /** A load balancer, a Route, a name. */
  address: 5 * minute,
  /** A machine, until it is a node that is ready. */
  machine: 15 * minute,
  /** A node that is not ready: those that join take a while. */
  unready: 5 * minute,
  /** A node, for each step of its update. */
  node: 20 * minute,
  /** An operator, when an update waits for it; the one for machine configs has to restart nodes. */
  operator: 30 * minute,
  machineConfig: 90 * minute,
} as const

/** How long ago that was; 0 when nobody knows. */
export function ageOf(time: string | null | undefined, now: Instant): number {
  const since = parseTime(time)
  return since === undefined ? 0 : Math.max(0, now - since)
}
