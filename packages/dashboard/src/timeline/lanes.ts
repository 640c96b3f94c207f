import { type Instant, parseTime } from '@windlass/core'
import type { UpdateView } from '@windlass/fleet/contract'

/**
 * A stretch of a lane.
 *
 * - `Rollout`: an update that was completed, from its start to its completion.
 * - `Runs`: the version alone, from the completion to whatever came next.
 * - `UnderWay`: an update that goes on.
 * - `GivenUp`: one that the next took the place of before it was completed.
 */
export interface Stretch {
  readonly kind: 'Rollout' | 'Runs' | 'UnderWay' | 'GivenUp'
  readonly version: string
  readonly from: Instant
  readonly to: Instant
  readonly entry: UpdateView
}

/** One lane, oldest stretch first. Entries without a time that can be read are left out: there is no place for them. */
export function laneOf(history: readonly UpdateView[], now: Instant): readonly Stretch[] {
  const entries = history.toReversed().flatMap((entry) => {
    const from = parseTime(entry.startedTime)
    return from === undefined ? [] : [{ entry, from }]
  })
  return entries.flatMap(({ entry, from }, index): Stretch[] => {
    const next = entries[index + 1]?.from ?? Math.max(now, from)
    const ended = parseTime(entry.completionTime)
    const { version } = entry
    if (entry.state === 'Partial') {
      const kind = ended === undefined ? 'UnderWay' : 'GivenUp'
      return [{ kind, version, from, to: Math.max(from, ended ?? next), entry }]
    }
    const done = Math.min(Math.max(from, ended ?? from), Math.max(next, from))
    return [
      { kind: 'Rollout', version, from, to: done, entry },
      { kind: 'Runs', version, from: done, to: Math.max(next, done), entry },
    ]
  })
}

/** What a time line shows: from a moment to a later one. */
export interface Extent {
  readonly from: Instant
  readonly to: Instant
}

const leastExtent = 60_000

/** Everything, with a little room on both sides. */
export function fitting(lanes: readonly (readonly Stretch[])[], now: Instant): Extent {
  const stretches = lanes.flat()
  const from = Math.min(now - leastExtent, ...stretches.map((each) => each.from))
  const to = Math.max(now, ...stretches.map((each) => each.to))
  const room = (to - from) * 0.02
  return { from: from - room, to: to + room }
}

/** The last update on any lane, with as much again around it; everything where there was none. */
export function lastUpdate(lanes: readonly (readonly Stretch[])[], now: Instant): Extent {
  const last = lanes.flatMap((lane) => lane.filter(({ kind }) => kind !== 'Runs').at(-1) ?? [])
  if (last.length === 0) return fitting(lanes, now)
  const newest = Math.max(...last.map(({ from }) => from))
  // A data plane follows its control plane: both are the same update if one began while the other went on, or soon after.
  const same = last.filter(({ from, to }) => from === newest || to >= newest - 3_600_000)
  const from = Math.min(...same.map((each) => each.from))
  const to = Math.max(...same.map((each) => each.to))
  const room = Math.max(leastExtent, (to - from) * 0.25)
  return { from: from - room, to: Math.min(now, to) + room }
}

/** Closer by `factor` (or further away, above 1), with what is at `anchor` (0 left, 1 right) where it is. Never closer than a minute or further than ten years. */
export function zoomed({ from, to }: Extent, factor: number, anchor = 0.5): Extent {
  const length = Math.min(Math.max((to - from) * factor, leastExtent), 315_360_000_000)
  const pivot = from + (to - from) * anchor
  return { from: pivot - length * anchor, to: pivot + length * (1 - anchor) }
}

/** To the side by a part of what is shown. */
export function moved({ from, to }: Extent, part: number): Extent {
  const by = (to - from) * part
  return { from: from + by, to: to + by }
}
