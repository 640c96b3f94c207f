/**
 * Whole upgrades in virtual time: the controllers, against the embedded server and a simulated cluster, with everything outside in memory. For tests.
 *
 * - `stage.ts`: the cluster, the operator, and what a story can do and see. `invariants.ts`: what must be so after every write, by what people want
 *   (`wishes.ts`).
 * - The stories: `whole-upgrade.test.ts`, `troubles.test.ts`, `changes-of-mind.test.ts`, `drains.test.ts`, `crashes.test.ts`; and with chance in all of it,
 *   `faults.test.ts`: `stories.ts`, `mishaps.ts`.
 */
export { at, configRef, definitions, type Scene, type Script, specOf, stage, start, usualConfig } from './stage.ts'
