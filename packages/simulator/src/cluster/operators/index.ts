/**
 * The operators of a cluster, as the version operator sees them: what their ClusterOperators say.
 *
 * - `decide.ts`: what one says now. `work.ts`: how it gets to a release. `machine-config.ts`: the one that waits for nodes.
 * - `controller.ts`: all of them, since they differ in little else than their names.
 */
export { atRest } from './condition.ts'
export { operatorsOfCluster, operatorsOfGuest } from './controller.ts'
