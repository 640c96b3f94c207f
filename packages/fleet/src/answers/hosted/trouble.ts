import type { ControlPlaneComponent, HostedCluster, NodePool } from '@windlass/api'
import { findCondition } from '@windlass/core'
import type { Moments } from '../moments.ts'
import { firstTrouble, hasLasted, type Trouble, wordsOf } from '../trouble.ts'

const minute = 60_000

/** Of a HostedCluster, the gravest first: the first that holds is the one that is named. */
const ofClusters: readonly Trouble[] = [
  { type: 'ValidConfiguration', is: 'False', after: 0 },
  { type: 'SupportedHostedCluster', is: 'False', after: 0 },
  { type: 'ValidHostedControlPlaneConfiguration', is: 'False', after: 0 },
  { type: 'ValidProxyConfiguration', is: 'False', after: 0 },
  { type: 'PlatformCredentialsFound', is: 'False', after: 0 },
  { type: 'ValidReleaseImage', is: 'False', after: minute },
  { type: 'ValidReleaseInfo', is: 'False', after: minute },
  // What is paused is blocked too, and has nothing wrong with it.
  { type: 'Progressing', is: 'False', after: 0, reason: 'Blocked', unless: 'ReconciliationActive condition is false' },
  { type: 'EtcdAvailable', is: 'False', after: 5 * minute, isNormalAtFirst: true },
  { type: 'KubeAPIServerAvailable', is: 'False', after: 5 * minute, isNormalAtFirst: true },
  { type: 'Available', is: 'False', after: 5 * minute, isNormalAtFirst: true },
  { type: 'InfrastructureReady', is: 'False', after: 5 * minute, isNormalAtFirst: true },
  { type: 'ReconciliationSucceeded', is: 'False', after: 5 * minute },
  { type: 'ClusterVersionSucceeding', is: 'False', after: 10 * minute },
  { type: 'Degraded', is: 'True', after: 20 * minute, isNormalAtFirst: true },
]

/** Of a NodePool: it cannot be updated, or not at all. */
const ofPools: readonly Trouble[] = [
  'UpdateManagementEnabled',
  'ValidReleaseImage',
  'ValidArchPlatform',
  'ValidMachineConfig',
  'ValidTuningConfig',
  'ValidPlatformImage',
  'ValidMachineTemplate',
].map((type) => ({ type, is: 'False', after: minute }))

const failures: ReadonlySet<string> = new Set(['ReconciliationError', 'JobFailed'])
const componentFailsAfter = 5 * minute

/** What is wrong with a hosted cluster, in a sentence; undefined when nothing is. */
export function troubleOf(cluster: HostedCluster, isInstalling: boolean, moments: Moments): string | undefined {
  return firstTrouble(ofClusters, cluster.status?.conditions, isInstalling, moments)
}

/** The same of one of its components. */
export function componentTrouble({ metadata, status }: ControlPlaneComponent, moments: Moments): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return undefined
  const rollout = findCondition(status?.conditions, 'RolloutComplete')
  if (rollout?.status !== 'False' || !failures.has(rollout.reason)) return undefined
  return hasLasted(rollout, componentFailsAfter, moments) ? `${metadata.name ?? ''} cannot be rolled out: ${wordsOf(rollout)}` : undefined
}

/** The same of one of its pools. */
export function poolTrouble({ metadata, status }: NodePool, moments: Moments): string | undefined {
  const trouble = firstTrouble(ofPools, status?.conditions, false, moments)
  return trouble === undefined ? undefined : `node pool ${metadata.name ?? ''}: ${trouble}`
}
