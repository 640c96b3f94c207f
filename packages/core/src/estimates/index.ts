/**
 * When an update will be done.
 *
 * - `timewise.ts`: how much of the time has passed when so many operators are done.
 * - `baseline.ts`: how long it usually takes. `estimate.ts`: from there to how much longer this one takes.
 */
export { baselineOf, finishedUpdates, usualUpdate } from './baseline.ts'
export type { TimedUpdate } from './baseline.ts'
export { estimateRemaining, lateBy } from './estimate.ts'
export type { UpdateProgress } from './estimate.ts'
export { timewiseCompletion } from './timewise.ts'
