import { type Duration, formatDuration } from '@windlass/core'

const second = 1000
const minute = 60 * second

/** Up to this, seconds matter. */
const long = 10 * minute

/** Go's form without what is zero at its end: `1h25m`, `2h`, `1h0m17s`, `45s`. Parts of a second are cut off; nothing is `now`. */
export function shortened(duration: Duration): string {
  const seconds = Math.trunc(duration / second)
  if (seconds === 0) return 'now'
  return formatDuration(seconds * second)
    .replace(/m0s$/, 'm')
    .replace(/h0m$/, 'h')
}

/** As exact as is useful: whole minutes above ten of them, whole seconds below. */
export function roundedDuration(duration: Duration): string {
  return shortened(duration > long ? nearest(duration, minute) : nearest(duration, second))
}

export function roundedToMinutes(duration: Duration): string {
  return shortened(nearest(duration, minute))
}

export function cutToMinutes(duration: Duration): string {
  return shortened(Math.trunc(duration / minute) * minute)
}

/** Half a unit counts as a whole one. */
function nearest(duration: Duration, unit: Duration): Duration {
  return Math.floor(duration / unit + 0.5) * unit
}
