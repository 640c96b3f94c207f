import type { ReplicaSet } from '@windlass/api'
import type { Bounds } from './bounds.ts'
import type { Revisions } from './revisions.ts'

/** How large ReplicaSets should be; those that are not mentioned stay as they are. */
export type Sizes = ReadonlyMap<ReplicaSet, number>

export const sizeOf = ({ spec }: ReplicaSet): number => spec.replicas ?? 1
export const totalOf = (replicaSets: readonly ReplicaSet[]): number => replicaSets.reduce((sum, each) => sum + sizeOf(each), 0)

/** No more than it should have: the rest is about to go. */
export function availableOf(replicaSet: ReplicaSet): number {
  return Math.min(replicaSet.status?.availableReplicas ?? 0, sizeOf(replicaSet))
}

/** How large the ReplicaSet of the present template may be, given those of other templates. */
export function newSize(size: number, { replicas, most }: Bounds, old: readonly ReplicaSet[]): number {
  if (size >= replicas) return replicas
  const room = most - totalOf(old) - size
  return room <= 0 ? size : size + Math.min(room, replicas - size)
}

/**
 * One step of a rollout that keeps Pods in service: as many new ones as there is room for, and as many old ones less as the new ones make up for.
 * Old Pods that do not work go first, whether new ones work or not.
 *
 * Safe only for ReplicaSets whose status is about what they should be now.
 */
export function rollingStep({ current, old }: Revisions & { readonly current: ReplicaSet }, bounds: Bounds): Sizes {
  const sizes = new Map<ReplicaSet, number>()
  const grown = newSize(sizeOf(current), bounds, old)
  if (grown !== sizeOf(current)) sizes.set(current, grown)
  const spare = totalOf(old) + grown - bounds.leastAvailable - (grown - availableOf(current))
  if (spare <= 0) return sizes
  let unhealthy = spare
  for (const each of old) {
    const less = Math.min(unhealthy, sizeOf(each) - availableOf(each))
    if (less <= 0) continue
    sizes.set(each, sizeOf(each) - less)
    unhealthy -= less
  }
  let healthy = [current, ...old].reduce((sum, each) => sum + availableOf(each), 0) - bounds.leastAvailable
  for (const each of old) {
    const size = sizes.get(each) ?? sizeOf(each)
    const less = Math.min(size, healthy)
    if (less <= 0) continue
    sizes.set(each, size - less)
    healthy -= less
  }
  return sizes
}
