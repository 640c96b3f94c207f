/**
 * Processes that live and die.
 *
 * - `process.ts`: runs a program, again and again. `process-clock.ts`: its clock, which may be wrong and stops when it dies.
 * - `operator.ts`: the program that runs controllers. `trace.ts`: which plan a request comes from. `counting-metrics.ts`: how many passes.
 * - `misfortune.ts`: crashes, outages, clocks that jump.
 */
export type { ReconcileCounter } from './counting-metrics.ts'
export { compactionsOf, misfortunesOf } from './misfortune.ts'
export { operator, type OperatorOptions } from './operator.ts'
export { type ProcessContext, type Program, SimulatedProcess } from './process.ts'
export { type AnyController, causeOfRequest } from './trace.ts'
