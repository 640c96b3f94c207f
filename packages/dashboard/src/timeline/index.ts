/**
 * Histories on a time line: `lanes.ts` makes stretches of the entries of a history and says which part of time is shown, `scale.ts` gives moments a place and the
 * axis its ticks.
 */
export { fitting, laneOf, lastUpdate, moved, zoomed } from './lanes.ts'
export type { Extent, Stretch } from './lanes.ts'
export { placeOf, ticksOf } from './scale.ts'
export type { Tick } from './scale.ts'
