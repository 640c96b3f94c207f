/**
 * What is counted about node pools, under upstream's names and a few of our own.
 *
 * - `readings.ts`, `vcpus.ts`: from pools and clusters to figures, `figures.ts` to all of one pool; pure. `counts.ts`: those of all. `rollouts.ts`: how long changes of nodes took.
 * - `families.ts`: every metric with a series for each pool or cluster. `board.ts`: what they say now, worked out anew for pools that have changed.
 * - `registry.ts`: where others expose theirs. `node-pool-metrics.ts`: what controllers tell.
 */
export { families as nodePoolFamilies } from './families.ts'
export { noNodePoolMetrics, type NodePoolMetrics } from './node-pool-metrics.ts'
export { nodePoolMetrics } from './registry.ts'
