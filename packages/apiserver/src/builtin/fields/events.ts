import { always, int32, microTime, struct } from '../dsl/index.ts'

/** What the newer API group of events has of its own. */

export const eventSeries = struct({
  count: always(int32),
  lastObservedTime: microTime,
})
