import type { Instant } from '@windlass/core'
import { dayOf } from '../words/times.ts'
import type { Extent } from './lanes.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Distances between ticks that people can count in. */
const steps = [
  10_000,
  30_000,
  ...[1, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 5, 10, 20, 30, 60, 90, 180, 365, 730].map((count) => count * day),
]

export interface Tick {
  readonly at: Instant
  /** From 0 at the left to 1 at the right. */
  readonly x: number
  readonly text: string
}

/** Where a moment is: 0 at the left, 1 at the right; outside of both when it is not shown. */
export function placeOf(instant: Instant, { from, to }: Extent): number {
  return (instant - from) / (to - from)
}

/** At most `most` ticks at round moments. What they say is as fine as their distance. */
export function ticksOf(extent: Extent, most: number): readonly Tick[] {
  const length = extent.to - extent.from
  const step = steps.find((each) => length / each <= most) ?? Math.ceil(length / most / (365 * day)) * 365 * day
  const first = Math.ceil(extent.from / step) * step
  const count = Math.max(0, Math.floor((extent.to - first) / step) + 1)
  return Array.from({ length: count }, (_, index) => first + index * step).map((at) => ({
    at,
    x: placeOf(at, extent),
    text: textOf(at, step, extent),
  }))
}

function textOf(at: Instant, step: number, { from, to }: Extent): string {
  const iso = new Date(at).toISOString()
  if (step >= 180 * day) return iso.slice(0, 7)
  if (step >= day) return dayOf(at)
  const time = iso.slice(11, step < minute ? 19 : 16)
  // The day stands where it changes; a time alone would be one of any day.
  return at % day === 0 && to - from > 6 * hour ? dayOf(at) : time
}
