import type { Instant } from '../clock/clock.ts'
import type { Release } from '../release/release.ts'
import { formatTime, parseTime } from '../time/rfc3339.ts'
import type { HistoryEntry, UpdateHistory } from './history.ts'

/** What can happen to a history. Each step gives a new history, or the same one when nothing changes. */

/** The first update that is known of. */
export function begun(release: Release, now: Instant): UpdateHistory {
  return [started(release, formatTime(now))]
}

/** Another release is wanted: the newest update ends where the new one starts. */
export function superseded(history: UpdateHistory, release: Release, now: Instant): UpdateHistory {
  const [newest, ...older] = history
  if (newest === undefined) return begun(release, now)
  const time = momentAfter(newest, now)
  return [started(release, time), closed(newest, time), ...older]
}

/** The newest update has got everywhere. An end that somebody has written already stands. */
export function completed(history: UpdateHistory, now: Instant): UpdateHistory {
  const newest = history[0]
  if (newest === undefined || newest.state === 'Completed') return history
  return history.with(0, { ...newest, state: 'Completed', completionTime: newest.completionTime ?? momentAfter(newest, now) })
}

/** What was not known of the newest update is known now. */
export function identified(history: UpdateHistory, release: Release): UpdateHistory {
  const newest = history[0]
  if (newest === undefined) return history
  const version = newest.version === '' ? release.version : newest.version
  const image = newest.image === '' ? release.image : newest.image
  return version === newest.version && image === newest.image ? history : history.with(0, { ...newest, version, image })
}

function started({ version, image }: Release, time: string): HistoryEntry {
  return { state: 'Partial', startedTime: time, version, image }
}

/**
 * The end of an update that another one follows, Completed or not: there is no gap between two updates. The moment at which it was
 * completed is lost here; an event and a metric have told it.
 */
function closed(update: HistoryEntry, time: string): HistoryEntry {
  return { ...update, completionTime: time }
}

/** Now, unless the clock has gone back behind what was written: then that. So times in a history never decrease. */
function momentAfter({ startedTime, completionTime }: HistoryEntry, now: Instant): string {
  return formatTime(Math.max(now, parseTime(startedTime) ?? now, parseTime(completionTime) ?? now))
}
