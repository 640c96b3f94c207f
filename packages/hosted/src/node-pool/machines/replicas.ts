import type { NodePool } from '@windlass/api'
import { Annotation } from '../wire.ts'

/** How many machines there are to be, and between which numbers the autoscaler may choose. */
export interface Scaling {
  readonly replicas: number
  readonly annotations: Readonly<Record<string, string>>
}

/**
 * A fixed number is written as it is. With autoscaling the number belongs to the autoscaler, and is only brought back between its bounds.
 *
 * Where no machine can be made from nothing, there must be one: the autoscaler learns from it what another would offer.
 */
export function scalingOf({ spec }: NodePool, current: number, canScaleFromZero: boolean): Scaling {
  const { autoScaling, replicas = 0 } = spec
  if (autoScaling === undefined) return { replicas, annotations: bounds(0, 0) }
  const { max } = autoScaling
  const min = autoScaling.min === 0 && !canScaleFromZero ? 1 : autoScaling.min
  return { replicas: current <= min ? min : Math.min(current, max), annotations: bounds(min, max) }
}

/** A count, or a part of the whole in percent. Undefined for what is neither. */
export function scaledCount(value: number | string, whole: number, rounding: 'up' | 'down'): number | undefined {
  if (typeof value === 'number') return value
  const percent = /^(\d+)%$/.exec(value)?.[1]
  if (percent === undefined) return /^\d+$/.test(value) ? Number(value) : undefined
  const exact = (Number(percent) * whole) / 100
  return rounding === 'up' ? Math.ceil(exact) : Math.floor(exact)
}

/** How many machines a rollout may have at most, and how many of them must be available all the time. */
export interface RolloutBounds {
  readonly mostMachines: number
  readonly leastAvailable: number
}

/** As Cluster API counts: a surge is rounded up, what is away is rounded down; and with neither nothing could move, so one may be away. */
export function rolloutBounds(replicas: number, { maxSurge = 1, maxUnavailable = 0 }: RollingUpdate = {}): RolloutBounds {
  const surge = scaledCount(maxSurge, replicas, 'up') ?? 1
  const away = scaledCount(maxUnavailable, replicas, 'down') ?? 0
  const unavailable = surge === 0 && away === 0 ? 1 : away
  return { mostMachines: replicas + surge, leastAvailable: Math.max(0, replicas - unavailable) }
}

type RollingUpdate = NonNullable<NonNullable<NodePool['spec']['management']['replace']>['rollingUpdate']>

/** How many nodes of an InPlace pool may be away at once: at least one, or nothing could move. */
export function inPlaceMaxUnavailable({ spec }: NodePool): number {
  const wanted = spec.management.inPlace?.maxUnavailable ?? 1
  return Math.max(1, scaledCount(wanted, spec.replicas ?? 0, 'down') ?? 1)
}

function bounds(min: number, max: number): Readonly<Record<string, string>> {
  return { [Annotation.autoscalerMin]: `${min}`, [Annotation.autoscalerMax]: `${max}` }
}
