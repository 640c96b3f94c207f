/**
 * PodDisruptionBudgets: how many Pods may be evicted now. The server refuses evictions by what is written here.
 *
 * - `expected.ts`: how many Pods there should be. `decide.ts`: how many may go. `controller.ts`: what it looks at.
 */
export { disruptionBudgetController } from './controller.ts'
