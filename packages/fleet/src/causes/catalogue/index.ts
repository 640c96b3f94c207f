/**
 * Everything that the simulator can make go wrong, and what is said to be the cause: the root that was injected must be named first. For tests.
 *
 * - The catalogue: `control-plane.test.ts`, `machines.test.ts`, `classic.test.ts`, `managed.test.ts`, `managed-machines.test.ts`. Each has a story for every fault
 *   of a list of the simulator's; a new fault without one does not compile.
 * - `objects-in.ts`: a simulated cluster as a fleet has it in memory. `managed-world.ts`: one with a managed upgrade. `expectation.ts`: what an answer must name.
 */
export { assertNamesFirst, describe, type Root } from './expectation.ts'
export * from './managed-world.ts'
export { classicIn, hostedIn, why } from './objects-in.ts'
