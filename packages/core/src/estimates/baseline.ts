import type { Duration } from '../duration/go-duration.ts'
import { parseTime } from '../time/rfc3339.ts'

/** What is needed of an entry of a history. */
export interface TimedUpdate {
  readonly state: string
  readonly startedTime: string
  /** Null, as a version operator writes it, and absent mean the same. */
  readonly completionTime?: string | null
}

/** How long an update takes when there is nothing to go by. */
export const usualUpdate: Duration = 60 * 60_000

/**
 * How long the finished updates before the newest one took, newest first.
 *
 * The newest entry is the update that is asked about. The oldest is the installation, which says nothing about updates; it may have been
 * pruned, and then an update is overlooked, which costs little. An entry whose times make no sense is overlooked too.
 */
export function* finishedUpdates(history: readonly TimedUpdate[]): Generator<Duration, void> {
  for (const { state, startedTime, completionTime } of history.slice(1, -1)) {
    if (state !== 'Completed') continue
    const duration = (parseTime(completionTime) ?? Number.NaN) - (parseTime(startedTime) ?? Number.NaN)
    if (duration > 0) yield duration
  }
}

/**
 * How long an update of this cluster takes, by its history, newest first: as long as the last one that was completed. `speed` is how much faster than a real
 * one it is, where it is simulated.
 */
export function baselineOf(history: readonly TimedUpdate[], speed = 1): Duration {
  return finishedUpdates(history).next().value ?? usualUpdate / speed
}
