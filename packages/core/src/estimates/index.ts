/**
 * When an update will be done.
 *
 * - `timewise.ts`: how much of the time has passed when so many operators are done.
 * - `baseline.ts`: how long it usually takes. `estimate.ts`: from there to how much longer this one takes.
 * - `learned.ts`: the same from how finished updates of the same cluster went, part by part; a range, or why there is none.
 */
export { baselineOf, finishedUpdates, usualUpdate } from './baseline.ts'
export type { TimedUpdate } from './baseline.ts'
export { estimateRemaining, lateBy } from './estimate.ts'
export type { UpdateProgress } from './estimate.ts'
export { type FinishedUpdate, type LearnedEstimate, learnedEstimate, type RunningUpdate } from './learned.ts'
export { timewiseCompletion } from './timewise.ts'
