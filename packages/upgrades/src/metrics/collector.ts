import type { ClusterVersion, UpgradeConfig } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { currentVersion, newestRun, previousVersion } from '../cluster/cluster-version.ts'
import type { Seen } from '../observed/seen.ts'
import type { StepCondition } from '../upgrade-config/conditions.ts'
import { desiredVersion, entryOf, type HistoryEntry } from '../upgrade-config/history.ts'
import type { Sample } from './series.ts'

/** How the timestamp of a step is called: `managed_upgrade_condition_<x>_timestamp`. Steps that are not here have none. */
const conditionNames: Partial<Record<StepCondition, string>> = {
  StartedNotificationSent: 'notification_start',
  ClusterHealthyBeforeUpgrade: 'health_check',
  ExternalDependenciesAvailable: 'external_dep_check',
  ComputeCapacityReserved: 'capacity_added',
  ControlPlaneMaintenanceWindowCreated: 'control_plane_maint_start',
  UpgradeCommenced: 'control_plane_upgrade_start',
  ControlPlaneUpgraded: 'control_plane_completion',
  ControlPlaneMaintenanceWindowRemoved: 'control_plane_maint_removed',
  WorkersMaintenanceWindowCreated: 'workers_maint_start',
  WorkerNodesUpgraded: 'workers_upgraded',
  ComputeCapacityRemoved: 'capacity_removed',
  WorkersMaintenanceWindowRemoved: 'workers_maint_removed',
  ClusterHealthyAfterUpgrade: 'post_upgrade_healthcheck',
  CompletedNotificationSent: 'notification_complete',
}

const versions = ['version', 'desired_version'] as const
const scrapeFailedName = 'managed_upgrade_collector_scrape_failed'

/** Every metric that `collect` can give, in the order of the specification. */
export const collectorMetrics: readonly { readonly name: string; readonly labels: readonly string[]; readonly help: string }[] = [
  { name: 'managed_upgrade_upgrade_scheduled', labels: [...versions, 'phase'], help: 'When the upgrade is to begin.' },
  {
    name: 'managed_upgrade_upgrade_pdb_timeout_minutes',
    labels: versions,
    help: 'How long disruption budgets are respected, in minutes.',
  },
  { name: 'managed_upgrade_upgrade_start_timestamp', labels: [...versions, 'phase'], help: 'When the upgrade began.' },
  { name: 'managed_upgrade_upgrade_complete_timestamp', labels: [...versions, 'phase'], help: 'When the upgrade was done.' },
  ...Object.entries(conditionNames).map(([type, name]) => ({
    name: `managed_upgrade_condition_${name}_timestamp`,
    labels: ['upgradeconfig_name', ...versions, 'condition'],
    help: `When the step ${type} was done, or began.`,
  })),
  { name: 'upgradeoperator_upgrade_state_timestamp', labels: ['version', 'state'], help: 'When the upgrade came into a state.' },
  { name: scrapeFailedName, labels: [], help: 'Whether something could not be derived from the UpgradeConfig.' },
]

type Timed = readonly [name: string, labels: Readonly<Record<string, string>>, time: string | null | undefined]

/**
 * What is derived from the UpgradeConfig when somebody scrapes. What cannot be derived is left out and counted as a failed scrape, which the answer says;
 * the rest is answered all the same.
 */
export function collect(upgradeConfig: Seen<UpgradeConfig | undefined>, clusterVersion: Seen<ClusterVersion>): readonly Sample[] {
  if ('problem' in upgradeConfig) return [scrapeFailed(true)]
  if (upgradeConfig.value === undefined) return [scrapeFailed(false)]
  const entry = entryOf(upgradeConfig.value)
  if (entry === undefined || 'problem' in clusterVersion) return [scrapeFailed(true)]
  const desired_version = desiredVersion(upgradeConfig.value)
  const current = currentVersion(clusterVersion.value)
  const from = current === desired_version ? previousVersion(clusterVersion.value) : current
  const states = sampled(stateTimes(upgradeConfig.value, entry, clusterVersion.value, desired_version))
  if (from === undefined) return [...states, scrapeFailed(true)]
  const fromTo = { version: from, desired_version }
  const minutes = {
    name: 'managed_upgrade_upgrade_pdb_timeout_minutes',
    labels: fromTo,
    value: upgradeConfig.value.spec.PDBForceDrainTimeout,
  }
  return [
    ...sampled(upgradeTimes(upgradeConfig.value, entry, fromTo)),
    minutes,
    ...sampled(conditionTimes(upgradeConfig.value, entry, fromTo)),
    ...states,
    scrapeFailed(false),
  ]
}

type Versions = { readonly version: string; readonly desired_version: string }

function upgradeTimes({ spec }: UpgradeConfig, entry: HistoryEntry, versions: Versions): readonly Timed[] {
  const labels = { ...versions, phase: entry.phase }
  return [
    ['managed_upgrade_upgrade_scheduled', labels, spec.upgradeAt],
    ['managed_upgrade_upgrade_start_timestamp', labels, entry.startTime],
    ['managed_upgrade_upgrade_complete_timestamp', labels, entry.completeTime],
  ]
}

function conditionTimes({ metadata }: UpgradeConfig, entry: HistoryEntry, versions: Versions): readonly Timed[] {
  const names: Readonly<Record<string, string | undefined>> = conditionNames
  return (entry.conditions ?? []).flatMap(({ type, status, startTime, completeTime }): readonly Timed[] => {
    const name = Object.hasOwn(names, type) ? names[type] : undefined
    if (name === undefined) return []
    const labels = { upgradeconfig_name: metadata.name ?? '', ...versions, condition: status }
    return [[`managed_upgrade_condition_${name}_timestamp`, labels, status === 'True' ? completeTime : startTime]]
  })
}

function stateTimes({ spec }: UpgradeConfig, entry: HistoryEntry, clusterVersion: ClusterVersion, version: string): readonly Timed[] {
  const run = newestRun(clusterVersion, version, entry.startTime)
  const times: Readonly<Record<string, string | null | undefined>> = {
    scheduled: spec.upgradeAt,
    started: entry.startTime,
    control_plane_started: run?.startedTime,
    control_plane_completed: run?.state === 'Completed' ? run.completionTime : undefined,
    workers_started: entry.workerStartTime,
    workers_completed: entry.workerCompleteTime,
    finished: entry.completeTime,
  }
  return Object.entries(times).map(([state, time]) => ['upgradeoperator_upgrade_state_timestamp', { version, state }, time])
}

function sampled(times: readonly Timed[]): readonly Sample[] {
  return times.flatMap(([name, labels, time]) => {
    const at = parseTime(time)
    return at === undefined ? [] : [{ name, labels, value: at / 1000 }]
  })
}

function scrapeFailed(hasFailed: boolean): Sample {
  return { name: scrapeFailedName, labels: {}, value: hasFailed ? 1 : 0 }
}
