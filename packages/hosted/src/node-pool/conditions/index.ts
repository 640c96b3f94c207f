/**
 * What a pool says about itself.
 *
 * - `chain.ts`: the conditions that are judged before anything is written, in their order; the other files hold the rules, named after what they look
 *   at. `outcome.ts` is what a rule comes to.
 * - `platform.ts`: also those that are judged once machines can be made.
 * - `health.ts`: how all of them look in a healthy pool.
 */
export { chain, judge, type Judged } from './chain.ts'
export { healthyConditions, unhealthyConditions } from './health.ts'
export { type Conditions, fails, holds, type Outcome, removed, type Row, type Said, type Stop, unknown, withOutcome } from './outcome.ts'
export { platformRows } from './platform.ts'
