import { type Instant, parseTime, shortDuration } from '@windlass/core'

/** `12m`: how long ago a moment on the wire was; nothing where there is none. A clock that is a little behind says `0s`. */
export function ageOf(time: string | undefined, now: Instant): string | undefined {
  const instant = parseTime(time)
  return instant === undefined ? undefined : shortDuration(Math.max(0, now - instant))
}

/** `in 12m`, or `12m ago` for what is over. */
export function whenOf(time: string | undefined, now: Instant): string | undefined {
  const instant = parseTime(time)
  if (instant === undefined) return undefined
  return instant > now ? `in ${shortDuration(instant - now)}` : `${shortDuration(now - instant)} ago`
}

/** How long something took, or has taken until now. */
export function spanOf(from: string | undefined, to: string | undefined, now: Instant): string | undefined {
  const start = parseTime(from)
  return start === undefined ? undefined : shortDuration(Math.max(0, (parseTime(to) ?? now) - start))
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `16 Nov 13:50`. All times of the page are UTC, so that two people who talk about a moment talk about the same one. */
export function momentOf(time: string | Instant | undefined, { seconds = false } = {}): string | undefined {
  const instant = typeof time === 'number' ? time : parseTime(time)
  if (instant === undefined) return undefined
  const date = new Date(instant)
  return `${dayOf(instant)} ${date.toISOString().slice(11, seconds ? 19 : 16)}`
}

/** `16 Nov`. */
export function dayOf(instant: Instant): string {
  const date = new Date(instant)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`
}

/** `13:50:07`. */
export function timeOfDay(instant: Instant): string {
  return new Date(instant).toISOString().slice(11, 19)
}

/** `in 12m`, without seconds: an estimate does not know them. What should be over by now says so. */
export function roughly(time: string | undefined, now: Instant): string | undefined {
  const instant = parseTime(time)
  if (instant === undefined) return undefined
  const minutes = Math.round((instant - now) / 60_000)
  if (minutes < 0) return 'any moment'
  return minutes < 1 ? 'within a minute' : `in ${minutes < 120 ? `${minutes}m` : shortDuration(minutes * 60_000)}`
}
