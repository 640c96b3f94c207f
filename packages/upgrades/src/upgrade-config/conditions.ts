import { formatTime, type Instant } from '@windlass/core'
import type { HistoryEntry } from './history.ts'

export type UpgradeCondition = NonNullable<HistoryEntry['conditions']>[number]

/** The steps that leave a mark in the history, in the order in which they happen. */
export const stepConditions = [
  'StartedNotificationSent',
  'IsClusterUpgradable',
  'ClusterHealthyBeforeUpgrade',
  'ExternalDependenciesAvailable',
  'ComputeCapacityReserved',
  'ControlPlaneMaintenanceWindowCreated',
  'UpgradeCommenced',
  'ControlPlaneUpgraded',
  'ControlPlaneMaintenanceWindowRemoved',
  'WorkersMaintenanceWindowCreated',
  'WorkerNodesUpgraded',
  'ComputeCapacityRemoved',
  'WorkersMaintenanceWindowRemoved',
  'ClusterHealthyAfterUpgrade',
  'PostUpgradeTasksCompleted',
  'CompletedNotificationSent',
] as const

export type StepCondition = (typeof stepConditions)[number]
export type ConditionType = StepCondition | 'FailedUpgrade'

export function conditionOf({ conditions }: HistoryEntry, type: ConditionType): UpgradeCondition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

export function hasDone(entry: HistoryEntry, type: ConditionType): boolean {
  return conditionOf(entry, type)?.status === 'True'
}

/**
 * Sets one condition. It keeps its place when there is one of the type, and goes to the front otherwise: people see the first one in `kubectl get`.
 * `lastProbeTime` always moves, `lastTransitionTime` only with the status.
 */
export function withCondition(
  entry: HistoryEntry,
  next: Omit<UpgradeCondition, 'lastProbeTime' | 'lastTransitionTime'> & { readonly type: ConditionType },
  now: Instant,
): HistoryEntry {
  const conditions = entry.conditions ?? []
  const index = conditions.findIndex(({ type }) => type === next.type)
  const existing = conditions[index]
  const lastProbeTime = formatTime(now)
  const keptTime = existing?.status === next.status ? existing.lastTransitionTime : undefined
  const condition: UpgradeCondition = { ...next, lastProbeTime, lastTransitionTime: keptTime ?? lastProbeTime }
  return { ...entry, conditions: existing === undefined ? [condition, ...conditions] : conditions.with(index, condition) }
}

/** The newest step that is not done; what a delay or a failure is about. `FailedUpgrade` is its consequence, not its cause. */
export function newestFalse({ conditions = [] }: HistoryEntry): UpgradeCondition | undefined {
  return conditions.find(({ type, status }) => status === 'False' && type !== 'FailedUpgrade')
}
