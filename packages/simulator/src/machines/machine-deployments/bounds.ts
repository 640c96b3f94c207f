import type { capi } from '@windlass/api'
import { amountOf } from '../../workloads/counts.ts'

/** Between how many machines a rollout may move. */
export interface Bounds {
  /** As many as are wanted in the end. */
  readonly replicas: number
  /** So many at most, of all templates together, those that are being deleted among them. */
  readonly most: number
  /** So many must be available. */
  readonly leastAvailable: number
}

/** Extra machines are rounded up, missing ones down. When that leaves neither, one may be missing: a rollout must be able to begin. */
export function boundsOf({ spec }: capi.MachineDeployment): Bounds {
  const { replicas = 1, strategy } = spec
  const { maxSurge = 1, maxUnavailable = 0 } = strategy?.rollingUpdate ?? {}
  const surge = amountOf(maxSurge, replicas, 'up')
  const rounded = amountOf(maxUnavailable, replicas, 'down')
  const missing = surge === 0 && rounded === 0 ? 1 : Math.min(rounded, replicas)
  return { replicas, most: replicas + surge, leastAvailable: Math.max(0, replicas - missing) }
}
