import type { ClusterVersion, UpgradeConfig } from '@windlass/api'
import type { GaugeName } from '../metrics/gauges.ts'
import type { Sample } from '../metrics/series.ts'
import { timestampSamples } from '../metrics/timestamps.ts'
import { sentStates } from '../notifications/index.ts'
import { hasDone } from './conditions.ts'
import { desiredVersion, entryOf } from './history.ts'

/** What gauges say of an upgrade that is under way or done, from what is stored: the same in every process. */
export function recordedSamples(upgradeConfig: UpgradeConfig, clusterVersion: ClusterVersion | undefined): readonly Sample<GaugeName>[] {
  const entry = entryOf(upgradeConfig)
  if (entry?.phase !== 'Upgrading' && entry?.phase !== 'Upgraded') return []
  const upgradeconfig_name = upgradeConfig.metadata.name ?? ''
  const version = desiredVersion(upgradeConfig)
  const told = sentStates(upgradeConfig).map((event): Sample<GaugeName> => {
    return { name: 'upgradeoperator_upgrade_notification', labels: { upgradeconfig_name, event, version }, value: 1 }
  })
  return [...timestampSamples(upgradeConfig, clusterVersion), ...told]
}

/** What went wrong and is on record: extra workers that did not come in time were told of, a window that was missed has failed the upgrade. */
export function recordedFailures(upgradeConfig: UpgradeConfig): readonly Sample<GaugeName>[] {
  const entry = entryOf(upgradeConfig)
  const labels = { upgradeconfig_name: upgradeConfig.metadata.name ?? '' }
  if (entry?.phase === 'Failed' && hasDone(entry, 'FailedUpgrade')) {
    return [{ name: 'upgradeoperator_upgrade_window_breached', labels, value: 1 }]
  }
  const hasNoExtras = entry?.phase === 'Upgrading' && sentStates(upgradeConfig).includes('StateSkipped')
  return hasNoExtras ? [{ name: 'upgradeoperator_scaling_failed', labels, value: 1 }] : []
}
