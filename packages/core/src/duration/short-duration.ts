import type { Duration } from './go-duration.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/**
 * The short form that `kubectl get` shows as age: at most two units, and only as exact as is useful at that length (`95s`,
 * `3m20s`, `45m`, `5h12m`, `30h`, `3d4h`, `400d`, `3y20d`).
 */
export function shortDuration(duration: Duration): string {
  if (duration <= -second) return '<invalid>'
  const length = Math.max(0, duration)
  if (length < 2 * minute) return `${Math.floor(length / second)}s`
  if (length < 10 * minute) return pair(length, minute, 'm', second, 's')
  if (length < 3 * hour) return `${Math.floor(length / minute)}m`
  if (length < 8 * hour) return pair(length, hour, 'h', minute, 'm')
  if (length < 2 * day) return `${Math.floor(length / hour)}h`
  if (length < 8 * day) return pair(length, day, 'd', hour, 'h')
  if (length < 2 * year) return `${Math.floor(length / day)}d`
  if (length < 8 * year) return pair(length, year, 'y', day, 'd')
  return `${Math.floor(length / year)}y`
}

/** Two units, the smaller left out when it is zero. */
function pair(length: Duration, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((length % large) / small)
  const first = `${Math.floor(length / large)}${largeName}`
  return rest === 0 ? first : `${first}${rest}${smallName}`
}
