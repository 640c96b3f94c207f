import type { Deployment, ReplicaSet } from '@windlass/api'
import type { Bounds } from './bounds.ts'
import { desiredAnnotation, mostAnnotation, byAge, type Revisions } from './revisions.ts'
import { availableOf, sizeOf, type Sizes, totalOf } from './rolling-update.ts'

const isActive = (replicaSet: ReplicaSet): boolean => sizeOf(replicaSet) > 0

function noted({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const value = metadata.annotations?.[annotation]
  return value === undefined ? undefined : Number(value)
}

/** Whether somebody has changed the number of replicas since the ReplicaSets were last told of it. */
export function isScaled({ all }: Revisions, { replicas }: Bounds): boolean {
  return all.filter(isActive).some((each) => (noted(each, desiredAnnotation) ?? replicas) !== replicas)
}

/**
 * Where a change of the number of replicas goes. Usually there is one ReplicaSet to take it. In the middle of a rollout each takes its share, so
 * that a new template that does not work does not get all of the new Pods.
 */
export function scaledSizes(deployment: Deployment, { current, old, all }: Revisions, bounds: Bounds): Sizes {
  const active = all.filter(isActive)
  const only = active.length > 1 ? undefined : (active[0] ?? current ?? old.at(-1))
  if (only !== undefined) return new Map([[only, bounds.replicas]])
  if (current !== undefined && isSaturated(current, bounds)) return new Map(old.filter(isActive).map((each) => [each, 0]))
  if (deployment.spec.strategy?.type === 'Recreate') return new Map()
  return inProportion(deployment, active, bounds)
}

/** The new ReplicaSet has all that it should have: nobody needs the others. */
function isSaturated(current: ReplicaSet, { replicas }: Bounds): boolean {
  return noted(current, desiredAnnotation) === replicas && sizeOf(current) === replicas && availableOf(current) === replicas
}

/** The largest first, and of equals the newest when it grows, the oldest when it shrinks. Whoever is first takes what rounding leaves over. */
function inProportion(deployment: Deployment, active: readonly ReplicaSet[], { replicas, most }: Bounds): Sizes {
  const allowed = replicas === 0 ? 0 : most
  const difference = allowed - totalOf(active)
  const order = active.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (difference > 0 ? -byAge(a, b) : byAge(a, b)))
  const sizes = new Map<ReplicaSet, number>()
  let given = 0
  for (const each of order) {
    const share = difference === 0 ? 0 : limited(shareOf(each, deployment, replicas, most), difference - given)
    sizes.set(each, sizeOf(each) + share)
    given += share
  }
  const [first] = order
  if (first !== undefined) sizes.set(first, Math.max(0, (sizes.get(first) ?? 0) + difference - given))
  return sizes
}

function limited(share: number, left: number): number {
  return left > 0 ? Math.max(0, Math.min(share, left)) : Math.min(0, Math.max(share, left))
}

/** How much larger a ReplicaSet would be if all had grown alike. */
function shareOf(replicaSet: ReplicaSet, { status }: Deployment, replicas: number, most: number): number {
  const size = sizeOf(replicaSet)
  if (replicas === 0) return -size
  const before = noted(replicaSet, mostAnnotation) || (status?.replicas ?? 0)
  return before === 0 ? 0 : Math.round((size * most) / before) - size
}
