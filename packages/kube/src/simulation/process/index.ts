/**
 * Processes that live and die.
 *
 * - `program.ts`: what runs in one. `process.ts`: runs it again and again. `life.ts`: one time. `process-clock.ts`: a clock that may be wrong and stops
 *   when the process dies.
 * - `operator.ts`: the program that runs controllers. `trace.ts`: which plan a request comes from. `counting-metrics.ts`: how many passes.
 * - `misfortune.ts`: crashes, outages, clocks that jump.
 */
export type { ReconcileCounter } from './counting-metrics.ts'
export { compactionsOf, misfortunesOf } from './misfortune.ts'
export { operator, type OperatorOptions } from './operator.ts'
export { SimulatedProcess } from './process.ts'
export type { ProcessContext, Program } from './program.ts'
export { type AnyController, causeOfRequest } from './trace.ts'
