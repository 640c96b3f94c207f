/**
 * The machine config operator, as far as it looks after pools: renders their configs and gives them to nodes.
 *
 * - `decide.ts`: what is done about a pool. `candidates.ts`: which nodes are next. `status.ts`: what a pool says.
 * - `membership.ts`: which nodes are in it. `node-state.ts`: how a node is. `names.ts`: the annotations that all of this is told by.
 *
 * What happens on the nodes is in `../nodes/`.
 */
export { machineConfigs, nodes, pools } from './caches.ts'
export { machineConfigPools } from './controller.ts'
export { renderedConfig } from './decide.ts'
export { poolOf } from './membership.ts'
export { type NodeAnnotation, nodeAnnotations, renderedName, requiredLabel, versionAnnotation, versionOf } from './names.ts'
export { annotationOf, isDegraded, isReady, isSettled, isUnavailable } from './node-state.ts'
export { poolStatus } from './status.ts'
