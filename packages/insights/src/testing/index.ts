/**
 * For tests of insights: `clusters.ts` has cluster versions and operators in any state, `nodes.ts` nodes and pools, `plans.ts` reads plans. For
 * simulations, `simulated.ts` puts a whole cluster on a server, and `update.ts` does to it what an update does.
 */
export { aClusterVersion, at, condition, entry, operatorAt, operators, start, type VersionParts, v0, v1, v2 } from './clusters.ts'
export { aConfig, aNode, aPool, type NodeParts } from './nodes.ts'
export { actionsOn, describePlan, statusIn, stored } from './plans.ts'
