import { always, int32, microTime, pointer, string, struct, time } from '../dsl/index.ts'
import { objectMeta } from './meta.ts'
import { eventSource } from './core.ts'
import { objectReference } from './references.ts'

/** Events of the newer API group. */

export const eventSeries = struct({
  count: always(int32),
  lastObservedTime: microTime,
})

export const event = struct({
  metadata: objectMeta,
  eventTime: microTime,
  series: pointer(eventSeries),
  reportingController: string,
  reportingInstance: string,
  action: string,
  reason: string,
  regarding: objectReference,
  related: pointer(objectReference),
  note: string,
  type: string,
  deprecatedSource: eventSource,
  deprecatedFirstTimestamp: time,
  deprecatedLastTimestamp: time,
  deprecatedCount: int32,
})
