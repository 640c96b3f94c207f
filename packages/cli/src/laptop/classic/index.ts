/**
 * A classic cluster on a laptop, with a managed upgrade that begins soon: a logical cluster of the server that has a version, operators, machines and nodes of its own.
 *
 * - `sample.ts`: which cluster it is. `objects.ts`: what is asked of it. `make.ts`: makes it, once.
 * - `life.ts`: what runs in it: the simulator, insights and managed upgrades. `outside.ts`: whom upgrades talk to besides the API.
 * - `metrics.ts`: what is counted about it.
 * - `run.ts`: all of it, as long as the cluster is there. `log.ts`: what is not worth a word when it goes.
 */
export { classicMetrics, type ClassicMetrics } from './metrics.ts'
export { type ClassicOptions, type ClassicParts, classicCluster } from './run.ts'
