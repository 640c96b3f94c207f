/**
 * How the update of each cluster operator goes.
 *
 * - `decide.ts`: what one look comes to. `assess.ts`: what is said. `health.ts`: what is wrong, in insights.
 * - `payload.ts`: which operators an update updates. `update-changed.ts`: which changes of the cluster version concern all of them.
 * - `controller.ts`: when it looks, and at what.
 */
export { assessClusterOperator } from './assess.ts'
export { clusterOperatorInsights } from './controller.ts'
export { isInPayload, isUpdated, updatedOperators } from './payload.ts'
export { updateChanged } from './update-changed.ts'
