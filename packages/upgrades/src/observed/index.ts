/**
 * What decisions know, and how they ask for more.
 *
 * - `seen.ts`: an answer, or why there is none. `facts.ts`: everything that can be known about a cluster in one pass.
 * - `look.ts`: how a pure decision says which facts it needs. `prometheus.ts`: what a query found.
 */
export type { FactName, Facts, Refresh } from './facts.ts'
export { look, type Look, lookAfter, missing } from './look.ts'
export { type HttpAnswer, type Labels, promqlString, readVector } from './prometheus.ts'
export { isSeen, type Seen, seen, unseen } from './seen.ts'
