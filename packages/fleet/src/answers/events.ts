import type { Event } from '@windlass/api'
import { formatTime, parseTime } from '@windlass/core'
import type { ClusterId, EventView, ObjectPlace } from '../contract/index.ts'

/** Events of reporters that know only the older form come with its fields, under these names, and without the newer ones. */
interface OldFields {
  readonly deprecatedLastTimestamp?: string | null
  readonly deprecatedFirstTimestamp?: string | null
  readonly deprecatedCount?: number
  readonly deprecatedSource?: { readonly component?: string }
}

/** When it was last seen, in whole seconds; the empty text when nobody says. */
export function lastSeen(event: Event): string {
  const { series, eventTime, metadata, deprecatedLastTimestamp: last, deprecatedFirstTimestamp: first }: Event & OldFields = event
  const written = [series?.lastObservedTime, last, eventTime, first, metadata.creationTimestamp].find(
    (time) => parseTime(time) !== undefined,
  )
  const instant = parseTime(written)
  return instant === undefined ? '' : formatTime(instant)
}

export function eventView(event: Event, cluster: ClusterId, side: ObjectPlace['side']): EventView {
  const { series, type, reason, note, regarding, reportingController, deprecatedCount, deprecatedSource }: Event & OldFields = event
  const source = reportingController === '' ? deprecatedSource?.component : reportingController
  return {
    time: lastSeen(event),
    count: series?.count ?? deprecatedCount ?? 1,
    type: type === 'Warning' ? 'Warning' : 'Normal',
    reason,
    message: note,
    object: {
      kind: regarding.kind ?? '',
      ...(regarding.namespace === undefined || regarding.namespace === '' ? {} : { namespace: regarding.namespace }),
      name: regarding.name ?? '',
      side,
    },
    cluster,
    ...(source === undefined || source === '' ? {} : { source }),
  }
}

/** Oldest first; what happened in one second by what it is about, so that the order does not depend on who was read first. */
export function oldestFirst(a: EventView, b: EventView): number {
  return compare(a.time, b.time) || compare(a.cluster, b.cluster) || compare(a.object.name, b.object.name) || compare(a.message, b.message)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
