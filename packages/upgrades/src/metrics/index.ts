/**
 * What Prometheus is told.
 *
 * - `gauges.ts`: every gauge with its labels, and which are dropped when. `series.ts`: their series as a value, and changes of it.
 * - `timestamps.ts`: when things happened, from what is stored. `result.ts`: how an upgrade went.
 * - `collector.ts`: what is derived from the UpgradeConfig at each scrape.
 */
export { collect } from './collector.ts'
export { ephemeralGauges, failureGauges, type GaugeName, gauges, type LabelsOf } from './gauges.ts'
export { hasResult, promDuration, resultEffects, resultQuery, streamOf } from './result.ts'
export { clearGauge, dropGauges, type GaugeChange, noSeries, type Sample, type Series, setGauge, valueOf, withChange } from './series.ts'
export { timestampSamples } from './timestamps.ts'
