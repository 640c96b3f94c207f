/**
 * What is counted about node pools, under upstream's names and a few of our own.
 *
 * - `readings.ts`, `vcpus.ts`: from pools and clusters to figures, pure. `rollouts.ts`: how long changes of nodes took.
 * - `registry.ts`: the figures as Prometheus reads them. `node-pool-metrics.ts`: what controllers tell.
 */
export { noNodePoolMetrics, type NodePoolMetrics } from './node-pool-metrics.ts'
export { nodePoolMetrics } from './registry.ts'
