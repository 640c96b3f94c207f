import type { Instant } from '../clock/clock.ts'
import type { Duration } from '../duration/go-duration.ts'
import { timewiseCompletion } from './timewise.ts'

/** How far an update is. */
export interface UpdateProgress {
  readonly startedAt: Instant
  /** When its completion changed last. */
  readonly lastProgressAt: Instant
  /** The part of the operators that are done, from 0 to 1 and not rounded. */
  readonly completion: number
  /** How long it should take, judged by earlier ones. */
  readonly baseline: Duration
  /** How much faster than a real cluster it is, where it is simulated; 1 unless told. */
  readonly speed?: number
}

const second = 1000
const minute = 60 * second
/** Only after so long does its own pace say more than that of earlier updates. */
const firstImpression = 5 * minute
/** Beyond it, seconds would promise more than anybody knows. */
const wholeMinutesBeyond = 10 * minute
/** To be done before the time is welcome; to be done after it is not. */
const caution = 1.2

/**
 * How much longer an update takes. Negative when it should be done already: by so much, with the same caution, it is late.
 *
 * The pace is measured up to the last progress and not up to now. While nothing moves, the expected total therefore stays what it was, and the
 * update becomes late; measured up to now it would grow for ever with the waiting.
 */
export function estimateRemaining(progress: UpdateProgress, now: Instant): Duration {
  if (progress.completion >= 1) return 0
  const remaining = expectedEnd(progress) - now
  return rounded(remaining < 0 ? remaining / caution : remaining * caution)
}

/** When it should be done, without any caution: from then on, as long as nothing moves, the estimate is negative. */
function expectedEnd({ startedAt, ...progress }: UpdateProgress): Instant {
  return startedAt + expectedTotal(progress.lastProgressAt - startedAt, progress)
}

/** When an update will be late by so much, if nothing moves until then. */
export function lateBy(overdue: Duration, progress: UpdateProgress): Instant {
  return expectedEnd(progress) + overdue * caution
}

function expectedTotal(
  untilLastProgress: Duration,
  { completion, baseline, speed = 1 }: Pick<UpdateProgress, 'completion' | 'baseline' | 'speed'>,
): Duration {
  if (completion <= 0 || untilLastProgress <= firstImpression / speed) return baseline
  const timewise = timewiseCompletion(completion)
  return timewise > 0 ? untilLastProgress / timewise : baseline
}

/** Halves go up for minutes, and away from zero for seconds. */
function rounded(duration: Duration): Duration {
  if (duration > wholeMinutesBeyond) return Math.floor(duration / minute + 0.5) * minute
  const seconds = Math.round(Math.abs(duration) / second)
  return seconds === 0 ? 0 : Math.sign(duration) * seconds * second
}
