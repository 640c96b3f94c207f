/**
 * Numbers about what runs, under the names that dashboards for Kubernetes controllers know.
 *
 * - `metrics.ts`: what controllers, queues, caches and clients report. `noMetrics` throws it away.
 * - `tallies.ts`, `buckets.ts`: counts it, in plain numbers.
 * - `exposition.ts`: names and labels; from the tallies to prom-client, when somebody asks.
 * - `create-metrics.ts`: puts them together. `event-loop-lag.ts`: the one thing that is measured here and not reported by others.
 */
export { createMetrics, type Exposition, noMetrics, type Metrics, type MetricsOptions } from './create-metrics.ts'
export { Buckets } from './buckets.ts'
export type { ControllerMetrics, QueueGauges, QueueMetrics, ReconcileResult, RuntimeMetrics } from './metrics.ts'
