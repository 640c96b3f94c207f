/**
 * How the update of each node goes.
 *
 * - `node-state.ts`: where a node stands, by what the machine config daemon writes on it (`annotations.ts`), its pool (`pools.ts`) and what keeps it
 *   from working (`unavailability.ts`). `node-states.ts`: those of all nodes, worked out once for everybody; `census.ts`: how many of each pool are how.
 * - `decide.ts`: what one look comes to. `assess.ts`: what is said. `health.ts`: what is wrong, in insights; `drain.ts`: who stands in the way.
 * - `controller.ts`: when it looks, and at what. `metrics.ts`: what is counted.
 */
export { configsOf } from './annotations.ts'
export { assessNode } from './assess.ts'
export { countNodes, type NodeCounts } from './census.ts'
export { configChanged, nodeInsights, poolChanged } from './controller.ts'
export { nodeStateMetrics, type NodeStateMetrics } from './metrics.ts'
export { evaluateNode, isUpdating, type NodeState, type Phase } from './node-state.ts'
export { NodeStates } from './node-states.ts'
export { poolOf, poolReference, scopeOf } from './pools.ts'
