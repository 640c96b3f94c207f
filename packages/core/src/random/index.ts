/**
 * Chance and identifiers as an argument: `random.ts` is the interface, `system-random.ts` the system's (the only file that asks
 * for it), `seeded-random.ts` one that repeats.
 */
export type { Random } from './random.ts'
export { seededRandom } from './seeded-random.ts'
export { systemRandom } from './system-random.ts'
