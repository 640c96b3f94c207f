/** Keeps the condition `Usable` of LogicalClusters true. `decide.ts` is the rule, `controller.ts` what it looks at. */
export { logicalClusterStatus } from './controller.ts'
