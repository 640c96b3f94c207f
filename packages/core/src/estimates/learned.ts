import type { Instant } from '../clock/clock.ts'
import type { Duration } from '../duration/go-duration.ts'

/** What is known of an update that was finished. */
export interface FinishedUpdate {
  readonly took: Duration
  /** How long after the beginning each of its parts was done, by name. What nobody noted is not in it. */
  readonly parts: ReadonlyMap<string, Duration>
}

/** An update that runs. */
export interface RunningUpdate {
  readonly startedAt: Instant
  /** When each of its parts was done; undefined for those that are not. What is done and nobody knows since when is not in it. */
  readonly parts: ReadonlyMap<string, Instant | undefined>
}

/**
 * When an update should be done, by those of the same cluster that were finished.
 *
 * - `expected`: not before `earliest` and not after `latest`; `likely` is between them.
 * - `stalled`: nobody can tell. The parts in `on` should have been done by `due`, and nothing else has happened since either.
 * - `slower`: nobody can tell. It goes on, but later than any of the finished ones would have allowed for.
 * - `unlearned`: there is no finished update to learn from.
 */
export type LearnedEstimate =
  | { readonly state: 'expected'; readonly earliest: Instant; readonly latest: Instant; readonly likely: Instant; readonly updates: number }
  | { readonly state: 'stalled'; readonly on: readonly string[]; readonly due: Instant; readonly updates: number }
  | { readonly state: 'slower'; readonly on: readonly string[]; readonly due: Instant; readonly updates: number }
  | { readonly state: 'unlearned' }

/**
 * How much slower, or faster, than another an update may be before the two have nothing to do with each other: the less, the more of them are known. The number
 * was chosen on one simulated cluster; `npm run bench` measures what comes of it on others.
 */
const stretchBy = (updates: number): number => 1 + 0.3 / Math.sqrt(updates)
/** What one part may be late by without the whole being so, as a part of the time of a finished update. */
const leeway = 0.1

/**
 * Learns from finished updates when a running one will be done.
 *
 * Each finished update is followed as far as the running one has come: up to the first of its parts that is still awaited. What was left from there,
 * counted from when the running one got there, is how long it takes.
 *
 * It makes promises and keeps them, or says that it cannot:
 *
 * - While nothing moves nothing of it moves. When the next part is overdue it does not put the end off; it says on what the update has stalled.
 * - Progress never makes `latest` later and never makes `earliest` earlier: what was said after an earlier part still counts after the next one.
 * - An update that breaks the promise is `slower` until it is done.
 */
export function learnedEstimate(running: RunningUpdate, finished: readonly FinishedUpdate[], now: Instant): LearnedEstimate {
  const updates = finished.length
  if (updates === 0) return { state: 'unlearned' }
  const stretch = stretchBy(updates)
  const followed = finished.map((update) => follow(running, update, stretch))
  const latest = Math.max(...followed.map((each) => each.latest))
  const earliest = Math.min(...followed.map((each) => each.earliest))
  const on = [...new Set(followed.flatMap(({ awaited }) => (awaited === undefined ? [] : [awaited])))]
  const due = Math.max(...followed.map((each) => each.due))
  const lastProgress = Math.max(running.startedAt, ...[...running.parts.values()].filter((time) => time !== undefined))
  const patience = leeway * Math.max(...finished.map(({ took }) => took))
  if (now > due && now > lastProgress + patience) return { state: 'stalled', on, due, updates }
  if (now > latest || earliest > latest) return { state: 'slower', on, due: latest, updates }
  const likely = median(followed.map((each) => each.likely))
  return { state: 'expected', earliest: Math.max(now, earliest), latest, likely: clamp(likely, Math.max(now, earliest), latest), updates }
}

interface Followed {
  readonly earliest: Instant
  readonly likely: Instant
  readonly latest: Instant
  /** The part that was done next; undefined when all were, and only the end was left. */
  readonly awaited: string | undefined
  /** Until when that may take. */
  readonly due: Instant
}

/** How the running update goes on if it goes on like this one. */
function follow({ startedAt, parts }: RunningUpdate, { took, parts: done }: FinishedUpdate, stretch: number): Followed {
  const slack = leeway * took
  const order = [...done].filter(([name]) => parts.has(name)).toSorted(([, a], [, b]) => a - b)
  let [at, behind] = [startedAt, 0]
  let earliest = startedAt + took / stretch
  let latest = startedAt + took * stretch + slack
  for (const [name, after] of order) {
    const reached = parts.get(name)
    if (reached === undefined)
      return { earliest, likely: at + took - behind, latest, awaited: name, due: at + (after - behind) * stretch + slack }
    at = Math.max(at, reached)
    behind = after
    const left = Math.max(0, took - after)
    earliest = Math.max(earliest, at + left / stretch)
    latest = Math.min(latest, at + left * stretch + slack)
  }
  const left = Math.max(0, took - behind)
  return { earliest, likely: at + left, latest, awaited: undefined, due: at + left * stretch + slack }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = 0, high = low] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  return (low + high) / 2
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high))
}
