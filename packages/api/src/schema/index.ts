/**
 * The words in which kinds are declared: a thin layer over typebox, so that one declaration gives both the TypeScript type and
 * the structural schema of a CRD. Every word takes a description first; `kubectl explain` shows it.
 *
 * - `scalars.ts`: text, numbers, flags, words, times, quantities.
 * - `containers.ts`: objects (closed, open, any), lists, maps, null.
 * - `options.ts`: limits, defaults and CEL rules.
 */
export { anyObject, emptyObject, list, map, nullable, object, openObject, optional } from './containers.ts'
export { immutable, immutableOnceSet, rule } from './options.ts'
export type { Rule } from './options.ts'
export { choice, countOrPercent, duration, flag, int32, int64, integer, knownWord, numberOrText, quantity, text, time } from './scalars.ts'
