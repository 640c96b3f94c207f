import { formatTime, systemClock } from '@windlass/core'

/** When the scripted fleet was read: the same in each run, so that two screenshots of it are alike. From there time goes on as everywhere. */
const beginning = Date.UTC(2026, 2, 4, 12, 0, 0)
const started = systemClock.now()

export function scriptedNow(): number {
  return beginning + (systemClock.now() - started)
}

/** So many minutes before the beginning, as on the wire; after it, if negative. */
export function minutesAgo(minutes: number): string {
  return formatTime(beginning - minutes * 60_000)
}

export const days = 24 * 60
