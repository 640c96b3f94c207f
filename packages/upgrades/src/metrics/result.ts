import type { UpgradeConfig } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { type Effect, gauge } from '../effects/effect.ts'
import { entryOf, type HistoryEntry } from '../upgrade-config/history.ts'
import { dropGauges, type Series, setGauge } from './series.ts'

/** Alerts of ours that page somebody. */
const pagingAlerts = [
  'UpgradeConfigValidationFailedSRE',
  'UpgradeClusterCheckFailedSRE',
  'UpgradeControlPlaneUpgradeTimeoutSRE',
  'UpgradeNodeUpgradeTimeoutSRE',
  'UpgradeNodeDrainFailedSRE',
] as const

/** Which of them fired while the upgrade ran; undefined when its times are not known. */
export function resultQuery({ startTime, completeTime }: HistoryEntry, now: Instant): string | undefined {
  const start = parseTime(startTime)
  const end = parseTime(completeTime)
  if (start === undefined || end === undefined) return undefined
  const selector = `ALERTS{alertstate="firing",severity="critical",alertname=~"${pagingAlerts.join('|')}"}`
  return `sum by (alertname) (max_over_time(${selector}[${promDuration(end - start)}] offset ${promDuration(now - end)}))`
}

/** Whole seconds, and at least one: Prometheus refuses fractions and `0s`. */
export function promDuration(milliseconds: number): string {
  const seconds = Math.max(1, Math.floor(milliseconds / 1000))
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'm'],
    [seconds % 60, 's'],
  ] as const
  const isFirst = parts.findIndex(([amount]) => amount > 0)
  return parts
    .slice(isFirst)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join('')
}

/** Whether an upgrade moved to another minor (`y`) or only to another patch (`z`). */
export function streamOf(from: string, to: string): 'y' | 'z' | 'unknown' {
  const [a, b] = [from, to].map((version) => /^(\d+)\.(\d+)\./.exec(version))
  if (a === null || b === null || a === undefined || b === undefined) return 'unknown'
  return a[1] === b[1] && a[2] === b[2] ? 'z' : 'y'
}

/** The result of an upgrade takes the place of whatever was said about the same version before: the two would contradict each other. */
export function resultEffects(upgradeConfig: UpgradeConfig, alerts: readonly string[]): readonly Effect[] {
  const { version = '', precedingVersion = '' } = entryOf(upgradeConfig) ?? {}
  const upgradeconfig_name = upgradeConfig.metadata.name ?? ''
  const labels = {
    upgradeconfig_name,
    preceding_version: precedingVersion,
    stream: streamOf(precedingVersion, version),
    version,
    alerts: alerts.join(','),
  }
  return [
    gauge(dropGauges(['upgradeoperator_upgrade_result'], { upgradeconfig_name, version })),
    gauge(setGauge('upgradeoperator_upgrade_result', labels, alerts.length === 0 ? 1 : 0)),
  ]
}

/** Whether this process has said how the upgrade to a version went. */
export function hasResult(series: Series, version: string): boolean {
  return series.values().some(({ name, labels }) => name === 'upgradeoperator_upgrade_result' && labels['version'] === version)
}
