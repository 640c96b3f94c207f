import type { capi } from '@windlass/api'
import type { Bounds } from './bounds.ts'
import type { Revisions } from './revisions.ts'

/** How large MachineSets should be; those that are not mentioned stay as they are. */
export type Sizes = ReadonlyMap<capi.MachineSet, number>

export const sizeOf = ({ spec }: capi.MachineSet): number => spec.replicas ?? 1

/** Machines that there are or will be. Those that are being deleted count: the provider still has them. */
export const presentOf = (set: capi.MachineSet): number => Math.max(sizeOf(set), set.status?.replicas ?? 0)

/** No more than it should have: the rest is about to go. */
function availableOf(set: capi.MachineSet): number {
  return Math.min(set.status?.availableReplicas ?? 0, sizeOf(set))
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** How large the MachineSet of the present template may be, given those of other templates. */
export function newSize(current: capi.MachineSet | undefined, { replicas, most }: Bounds, old: readonly capi.MachineSet[]): number {
  const size = current === undefined ? 0 : sizeOf(current)
  if (size >= replicas) return replicas
  const room = most - sum(old.map(presentOf)) - (current === undefined ? 0 : presentOf(current))
  return size + Math.max(0, Math.min(room, replicas - size))
}

/**
 * One step of a rollout: as many new machines as there is room for, and as many old ones less as the new ones make up for. Old machines that do not work go
 * first, whether new ones work or not.
 *
 * Safe only for MachineSets whose status is about what they should be now.
 */
export function rollingStep({ current, old }: Revisions & { readonly current: capi.MachineSet }, bounds: Bounds): Sizes {
  const sizes = new Map<capi.MachineSet, number>()
  const grown = newSize(current, bounds, old)
  if (grown !== sizeOf(current)) sizes.set(current, grown)
  const spare = sum(old.map(sizeOf)) + grown - bounds.leastAvailable - (grown - Math.min(grown, availableOf(current)))
  if (spare <= 0) return sizes
  let broken = spare
  for (const each of old) {
    const less = Math.min(broken, sizeOf(each) - availableOf(each))
    if (less <= 0) continue
    sizes.set(each, sizeOf(each) - less)
    broken -= less
  }
  let working = sum([current, ...old].map(availableOf)) - bounds.leastAvailable
  for (const each of old) {
    const size = sizes.get(each) ?? sizeOf(each)
    const less = Math.min(size, working)
    if (less <= 0) continue
    sizes.set(each, size - less)
    working -= less
  }
  return sizes
}

/**
 * Nothing is deleted here, but what somebody has deleted is replaced by new machines, and not by old ones. When there are more than are wanted, old ones
 * go.
 */
export function onDeleteStep(
  { current, old }: Revisions & { readonly current: capi.MachineSet },
  { replicas }: Bounds,
  active: (set: capi.MachineSet) => number,
): Sizes {
  const sizes = new Map<capi.MachineSet, number>()
  let tooMany = Math.max(0, sum(old.map(active)) - replicas)
  for (const each of old) {
    const less = Math.min(tooMany, active(each))
    tooMany -= less
    const size = active(each) - less
    if (size < sizeOf(each)) sizes.set(each, size)
  }
  const wanted = Math.max(0, replicas - sum(old.map((each) => Math.min(presentOf(each), each.status?.replicas ?? 0))))
  if (wanted !== sizeOf(current)) sizes.set(current, wanted)
  return sizes
}
