import type { Deployment } from '@windlass/api'
import { amountOf } from '../counts.ts'

/** Between how many Pods a rollout may move. */
export interface Bounds {
  /** As many as are wanted in the end. */
  readonly replicas: number
  /** So many at most, of all templates together. */
  readonly most: number
  /** So many must be available. */
  readonly leastAvailable: number
}

/**
 * Extra Pods are rounded up, missing ones down, so that 25% of one means one extra and none missing. When that leaves neither, one may be missing: a
 * rollout must be able to begin.
 */
export function boundsOf({ spec }: Deployment): Bounds {
  const { replicas = 1, strategy } = spec
  if (strategy?.type === 'Recreate' || replicas === 0) return { replicas, most: replicas, leastAvailable: replicas }
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy?.rollingUpdate ?? {}
  const surge = amountOf(maxSurge, replicas, 'up')
  const rounded = amountOf(maxUnavailable, replicas, 'down')
  const missing = surge === 0 && rounded === 0 ? 1 : Math.min(rounded, replicas)
  return { replicas, most: replicas + surge, leastAvailable: replicas - missing }
}
