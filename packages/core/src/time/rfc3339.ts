import type { Instant } from '../clock/clock.ts'

/**
 * How a moment is written on the wire: RFC 3339, UTC, whole seconds. Fractions are dropped, not rounded: a time must not lie in
 * the future of the clock it was taken from, and a fraction would make every reconcile a change.
 */
export function formatTime(instant: Instant): string {
  const seconds = Math.floor(instant / 1000)
  if (seconds !== last.seconds) last = { seconds, text: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z` }
  return last.text
}

/** The same second is written thousands of times when there is much to do. */
let last = { seconds: Number.NaN, text: '' }

/** Drops the fraction of a second, for comparing a moment with one that was on the wire. */
export function wholeSeconds(instant: Instant): Instant {
  return Math.floor(instant / 1000) * 1000
}

const pattern = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

/**
 * Reads a strict RFC 3339 time; undefined for anything else, also for dates that do not exist (`2026-02-30T…`) and for what
 * lenient parsers accept (`2025-02-25 15:00`). Absent and null are undefined too: on the wire they mean the same.
 */
export function parseTime(text: string | null | undefined): Instant | undefined {
  if (text === null || text === undefined) return undefined
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset = offsetOf(match[8], Number(match[9] ?? 0), Number(match[10] ?? 0))
  if (offset === undefined) return undefined
  const fraction = match[7] === undefined ? 0 : Math.trunc(Number(`0.${match[7]}`) * 1000)
  return date.setUTCHours(hour, minute, second, fraction) - offset
}

function offsetOf(direction: string | undefined, hours: number, minutes: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined
  const milliseconds = (hours * 60 + minutes) * 60_000
  return direction === '-' ? -milliseconds : milliseconds
}
