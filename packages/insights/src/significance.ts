import { parseTime } from '@windlass/core'

/** Differences in time below this are not worth a write. */
const significant = 30_000

/**
 * Whether two times say something different: they are half a minute apart, or one of them is not there. In a cluster that is simulated at a higher speed, less than
 * half a minute is much.
 */
export function differByMuch(a: string | undefined, b: string | undefined, speed = 1): boolean {
  if (a === b) return false
  const [left, right] = [parseTime(a), parseTime(b)]
  if (left === undefined || right === undefined) return left !== right
  return Math.abs(left - right) >= significant / speed
}
