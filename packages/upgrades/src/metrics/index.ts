/**
 * What Prometheus is told.
 *
 * - `gauges.ts`: every gauge with its labels, and which are dropped when. `series.ts`: their series as a value, and changes of it.
 * - `board.ts`: what they say now. `exposition.ts`: how a scrape gets to see it.
 * - `timestamps.ts`: when things happened, from what is stored. `result.ts`: how an upgrade went.
 * - `collector.ts`: what is derived from the UpgradeConfig at each scrape.
 */
export { GaugeBoard } from './board.ts'
export { collect, collectorMetrics } from './collector.ts'
export { collectorRegistry, type CollectorView, exposeCollector, exposeGauges } from './exposition.ts'
export { ephemeralGauges, failureGauges, type GaugeName, gauges, type LabelsOf } from './gauges.ts'
export { hasResult, promDuration, resultEffects, resultQuery, streamOf } from './result.ts'
export { clearGauge, dropGauges, type GaugeChange, noSeries, type Sample, type Series, setGauge, valueOf, withChange } from './series.ts'
export { timestampSamples } from './timestamps.ts'
