/**
 * How the update of each pool of nodes goes.
 *
 * - `decide.ts`: what one look comes to. `assess.ts`: what is said, from how many of its nodes are how. `health.ts`: what is wrong, in insights.
 * - `controller.ts`: when it looks, and at what.
 */
export { assessPool } from './assess.ts'
export { machineConfigPoolInsights } from './controller.ts'
