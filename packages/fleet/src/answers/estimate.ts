import { type Duration, finishedUpdates, formatTime, type Instant, parseTime, type TimedUpdate } from '@windlass/core'
import type { EstimateView } from '../contract/index.ts'

/** More than these tell nothing about today. */
const recent = 5

/**
 * When the newest update of a history should be done: as long after its beginning as the last finished one took, between the shortest and the longest of the last
 * few. Undefined when it is done, and when none was finished before it. It stays what it is while time passes: an update that is late is late, and is not promised
 * for later and later.
 */
export function expectedEnd(history: readonly TimedUpdate[] | undefined): ExpectedEnd | undefined {
  const [newest] = history ?? []
  if (history === undefined || newest === undefined || newest.state === 'Completed') return undefined
  const started = parseTime(newest.startedTime)
  const took: Duration[] = []
  for (const duration of finishedUpdates(history)) if (took.length < recent) took.push(duration)
  const [last] = took
  if (started === undefined || last === undefined) return undefined
  return { likely: started + last, earliest: started + Math.min(...took), latest: started + Math.max(...took) }
}

export interface ExpectedEnd {
  readonly likely: Instant
  readonly earliest: Instant
  readonly latest: Instant
}

/** The one of two sides that ends last: a cluster is done when both are. */
export function laterEnd(a: ExpectedEnd | undefined, b: ExpectedEnd | undefined): ExpectedEnd | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a.likely >= b.likely ? a : b
}

export function estimateView(end: ExpectedEnd | undefined, stalledBecause: string | undefined): EstimateView | undefined {
  if (end === undefined) return undefined
  const { likely, earliest, latest } = end
  if (stalledBecause !== undefined) return { completion: formatTime(likely), unknownBecause: `unknown, stalled because ${stalledBecause}` }
  return { completion: formatTime(likely), earliest: formatTime(earliest), latest: formatTime(latest) }
}
