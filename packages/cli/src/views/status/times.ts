import { type Instant, parseTime } from '@windlass/core'
import { cutToMinutes, roundedDuration, roundedToMinutes } from './durations.ts'
import { usualWords } from './usual.ts'
import type { TimesView } from './view.ts'

const minute = 60_000
/** How far behind its estimate an update is taken for stalled, and from how near on the estimate is not worth a number. */
export const threshold = 10 * minute

/** The times of an update and how far they are from now. */
export function timesOf(
  { startedAt, completedAt, estimatedCompletedAt }: Pick<TimesView, 'startedAt' | 'completedAt' | 'estimatedCompletedAt'>,
  now: Instant,
): TimesView {
  const [start, estimate] = [parseTime(startedAt), parseTime(estimatedCompletedAt)]
  return {
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(completedAt === undefined ? {} : { completedAt }),
    ...(estimatedCompletedAt === undefined ? {} : { estimatedCompletedAt }),
    ...(start === undefined ? {} : { durationSeconds: ((parseTime(completedAt) ?? now) - start) / 1000 }),
    ...(estimate === undefined ? {} : { remainingSeconds: (estimate - now) / 1000 }),
  }
}

/** How much longer it takes, in words; undefined when there is nothing to say. */
export function remainingWords({ startedAt, estimatedCompletedAt, remainingSeconds }: TimesView): string | undefined {
  if (remainingSeconds === undefined || remainingSeconds === 0) return undefined
  const remaining = remainingSeconds * 1000
  if (remaining < -threshold) {
    const whole = (parseTime(estimatedCompletedAt) ?? 0) - (parseTime(startedAt) ?? 0)
    return `N/A; estimate duration was ${cutToMinutes(whole)}`
  }
  return remaining < threshold ? '<10m' : roundedToMinutes(remaining)
}

/**
 * `1m29s (Est. Time Remaining: 1h25m)`. Nobody knows how long it takes to move to another architecture. An estimate that finished updates speak against is not given
 * as if they did not.
 */
export function durationWords(
  times: TimesView,
  { isMigration, isDoubtful }: { readonly isMigration: boolean; readonly isDoubtful: boolean },
): string {
  const remaining = isMigration ? 'N/A for Multi-Architecture Migration' : remainingWords(times)
  const but = isDoubtful ? ', but see Learned' : ''
  const expected = remaining === undefined ? usualWords(times) : `Est. Time Remaining: ${remaining}${but}`
  const taken = times.durationSeconds === undefined ? 'unknown' : roundedDuration(times.durationSeconds * 1000)
  return expected === undefined ? taken : `${taken} (${expected})`
}
