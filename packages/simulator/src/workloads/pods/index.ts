/**
 * What everybody who deals with Pods needs.
 *
 * - `state.ts`: what a Pod counts as: active, ready, available.
 * - `draft.ts`, `names.ts`: Pods that are to be made.
 */
export { podFrom, type PodOptions } from './draft.ts'
export { namesFor, podName } from './names.ts'
export { availableFrom, hasEnded, imagesOf, isActive, isAvailable, isReady, isTerminating, restartsOf, untilAvailable } from './state.ts'
