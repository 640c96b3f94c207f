import type { ClusterVersion, UpgradeConfig } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { clusterIdLabel, newestRun } from '../cluster/cluster-version.ts'
import { conditionOf } from '../upgrade-config/conditions.ts'
import { desiredVersion, entryOf, type HistoryEntry } from '../upgrade-config/history.ts'
import type { GaugeName } from './gauges.ts'
import type { Sample } from './series.ts'

type TimestampGauge = Extract<GaugeName, `${string}_timestamp`>
type Text = string | null | undefined

/**
 * The timestamps of an upgrade, from what is stored. They are facts: a pass that is repeated, or a process that starts anew, publishes the same ones.
 *
 * The fallbacks are the moments at which we ourselves learned of it, which are stored as well.
 */
export function timestampSamples(upgradeConfig: UpgradeConfig, clusterVersion: ClusterVersion | undefined): readonly Sample<GaugeName>[] {
  const entry = entryOf(upgradeConfig)
  if (entry === undefined || (entry.phase !== 'Upgrading' && entry.phase !== 'Upgraded')) return []
  const labels = {
    _id: clusterIdLabel(clusterVersion),
    upgradeconfig_name: upgradeConfig.metadata.name ?? '',
    version: desiredVersion(upgradeConfig),
  }
  const times = Object.entries(timesOf(entry, clusterVersion)) as readonly [TimestampGauge, Text][]
  return times.flatMap(([name, text]) => {
    const at = parseTime(text)
    return at === undefined ? [] : [{ name, labels, value: at / 1000 }]
  })
}

function timesOf(entry: HistoryEntry, clusterVersion: ClusterVersion | undefined): Partial<Record<TimestampGauge, Text>> {
  const run = clusterVersion === undefined ? undefined : newestRun(clusterVersion, entry.version, entry.startTime)
  const isCompleted = run?.state === 'Completed'
  const commenced = conditionOf(entry, 'UpgradeCommenced')?.completeTime
  const controlPlaneDone = (isCompleted ? run.completionTime : undefined) ?? conditionOf(entry, 'ControlPlaneUpgraded')?.completeTime
  return {
    upgradeoperator_upgrade_started_timestamp: entry.startTime,
    upgradeoperator_upgrade_completed_timestamp: entry.completeTime ?? conditionOf(entry, 'CompletedNotificationSent')?.completeTime,
    upgradeoperator_controlplane_upgrade_started_timestamp: run?.startedTime ?? commenced,
    upgradeoperator_controlplane_upgrade_completed_timestamp: controlPlaneDone,
    upgradeoperator_workernode_upgrade_started_timestamp: entry.workerStartTime ?? controlPlaneDone,
    upgradeoperator_workernode_upgrade_completed_timestamp:
      entry.workerCompleteTime ?? conditionOf(entry, 'WorkerNodesUpgraded')?.completeTime,
  }
}
