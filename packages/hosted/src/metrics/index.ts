/**
 * What is counted about hosted clusters, under upstream's names and a few of our own.
 *
 * - `families.ts`: every metric, with its labels. `series.ts`, `histograms.ts`: how Prometheus wants them written.
 * - `figures.ts`: from a cluster to its series, `counts.ts` and `healthy.ts` to what is counted about all of them; pure. `transitions.ts`: what has happened
 *   from one look to the next.
 * - `board.ts`: what all of it says now, written out once and kept. `hosted-cluster-metrics.ts`: keeps it up to date from the caches of an operator.
 */
export { families as hostedClusterFamilies, type Family } from './families.ts'
export { hostedClusterMetrics, type HostedClusterMetrics, type HostedClusterMetricsOptions } from './hosted-cluster-metrics.ts'
