import type { UpgradeConfig } from '@windlass/api'
import type { NotifyCause } from '../effects/effect.ts'
import { newestFalse, type UpgradeCondition } from '../upgrade-config/conditions.ts'
import { desiredVersion, entryOf } from '../upgrade-config/history.ts'
import type { NotificationState } from './states.ts'

export interface Occasion {
  readonly upgradeConfig: UpgradeConfig
  /** What a health check found: its tokens. */
  readonly result?: string
  readonly cause?: NotifyCause
}

/** What a health check found stands behind these words. */
const findings = 'Please look after: '

/**
 * Whether two texts are about the same occasion. What a health check finds differs from one look to the next: somebody who has died after telling it must not
 * take what was told for something else.
 */
export function isSameOccasion(told: string, description: string): boolean {
  const occasionOf = (text: string): string | undefined => text.split(findings, 1)[0]
  return occasionOf(told) === occasionOf(description)
}

type Describe = (version: string, occasion: Occasion) => string

/**
 * What people read. The text of a delay must say `retry` and that of a skip must not: OCM keeps both as `delayed`, and the word is all that tells them
 * apart when the state is read back.
 */
const descriptions: Readonly<Record<NotificationState, Describe>> = {
  StateStarted: (version) => `Cluster is currently being upgraded to version ${version}`,
  StateDelayed: (version, occasion) => (occasion.cause === 'node drain' ? drainDelay(version) : delay(version, cause(occasion))),
  StateSkipped: (version) =>
    `Cluster upgrade to version ${version} could not add extra compute in time. The upgrade continues without extra compute.`,
  StateScaleSkipped: (version) =>
    `Cluster upgrade to version ${version} found no worker machine pool to add extra compute to. The upgrade continues without extra compute.`,
  StateCompleted: (version) => `Cluster has been successfully upgraded to version ${version}`,
  StateFailed: (version, occasion) => failure(version, cause(occasion)),
  StateControlPlaneStartedSL: (version) =>
    `Your cluster is starting the upgrade of its control plane and its workers to version ${version}.`,
  StateControlPlaneFinishedSL: (version) =>
    `Your cluster has finished the upgrade of its control plane to version ${version}. The upgrade of its workers goes on.`,
  StateWorkerPlaneFinishedSL: (version) => `Your cluster has finished the upgrade of its workers to version ${version}.`,
  StateHealthCheckSL: (version, { result = '' }) =>
    `The upgrade of your cluster to version ${version} found problems with its health. ${findings}${result}`,
  StatePreHealthCheckSL: (version, { result = '' }) =>
    `Your cluster has problems with its health that can hold up its scheduled upgrade to version ${version}. ${findings}${result}`,
}

export function describeState(state: NotificationState, occasion: Occasion): string {
  return descriptions[state](desiredVersion(occasion.upgradeConfig), occasion)
}

/** The newest step that is not done; undefined when there is none, or no history at all. */
function cause({ upgradeConfig }: Occasion): UpgradeCondition | undefined {
  const entry = entryOf(upgradeConfig)
  return entry === undefined ? undefined : newestFalse(entry)
}

/** What a delay is about, by the newest step that is not done. */
const delays: Readonly<Record<string, string>> = {
  ClusterHealthyBeforeUpgrade: 'because health alerts are firing',
  ExternalDependenciesAvailable: 'because an external dependency is unavailable',
  ComputeCapacityReserved: 'while it is scaling an extra worker',
}

function delay(version: string, condition: UpgradeCondition | undefined): string {
  const about = textFor(delays, condition) ?? 'while it is performing pre-upgrade procedures'
  return `Cluster upgrade to version ${version} is experiencing a delay ${about}. The upgrade will continue to retry.`
}

function drainDelay(version: string): string {
  return (
    `Cluster upgrade to version ${version}: the node drain grace period may be delaying the upgrade. Pods that a disruption budget protects have been ` +
    'deleted, and the operator will continue to retry. See https://access.redhat.com/solutions/7075425'
  )
}

/** What a failure is about, by the newest step that is not done. */
const failures: Readonly<Record<string, string>> = {
  ClusterHealthyBeforeUpgrade: 'was cancelled in the cluster health check',
  ExternalDependenciesAvailable: 'was cancelled in the check of external dependencies',
  ComputeCapacityReserved: 'was cancelled while scaling up an extra worker',
}

/** That of a cluster that is not upgradeable is the message itself: it names what the administrator has to do. */
function failure(version: string, condition: UpgradeCondition | undefined): string {
  if (condition?.type === 'IsClusterUpgradable') return condition.message ?? ''
  const about = textFor(failures, condition) ?? 'was cancelled: the cluster did not pass pre-upgrade verification'
  return `Cluster upgrade to version ${version} ${about}. Automatic upgrades are retried on their next cycle. Manual upgrades must be rescheduled.`
}

function textFor(texts: Readonly<Record<string, string>>, condition: UpgradeCondition | undefined): string | undefined {
  return condition !== undefined && Object.hasOwn(texts, condition.type) ? texts[condition.type] : undefined
}
