/**
 * What `windlass fleet` shows: `selection.ts` chooses clusters (`selector.ts` by labels), `lines.ts` shows them. `find.ts`: one of them by the name that a person
 * gives it.
 */
export { findRow } from './find.ts'
export { ageOf, fleetLines, nameOf } from './lines.ts'
export { type FleetWishes, needsAttention, selected, worstFirst } from './selection.ts'
