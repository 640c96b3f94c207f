import { parseTime } from '@windlass/core'

/** Differences in time below this are not worth a write. */
const significant = 30_000

/** Whether two times say something different: they are half a minute apart, or one of them is not there. */
export function differByMuch(a: string | undefined, b: string | undefined): boolean {
  if (a === b) return false
  const [left, right] = [parseTime(a), parseTime(b)]
  if (left === undefined || right === undefined) return left !== right
  return Math.abs(left - right) >= significant
}
