import { type Instant, parseTime, shortDuration } from '@windlass/core'

/**
 * How long ago something was, as `kubectl get` prints it: `3d4h`. Clocks disagree a little: a moment up to two seconds ahead is
 * `0s`, one further ahead `<invalid>`.
 */
export function ageText(from: Instant, now: Instant): string {
  const elapsed = now - from
  return shortDuration(elapsed > -2000 ? Math.max(0, elapsed) : elapsed)
}

/** The age of a time on the wire; `<invalid>` for a text that is no time, `<unknown>` for none. */
export function ageOf(time: string | undefined, now: Instant): string {
  if (time === undefined || time === '') return '<unknown>'
  const from = parseTime(time)
  return from === undefined ? '<invalid>' : ageText(from, now)
}
