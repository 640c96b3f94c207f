import { findCondition, isFalse, isTrue } from '@windlass/core'
import { entryOf, newestFalse } from '@windlass/upgrades'
import type { ClassicObjects, HostedObjects } from '../../model/objects.ts'
import { isUnsettled } from '../pools/index.ts'

/** What is worth a look, by what is in memory. */
export interface HostedNeeds {
  readonly isDeleting: boolean
  /** The HostedCluster with all of its fields: caches leave out what no other answer needs. */
  readonly itself: boolean
  readonly controlPlane: boolean
  /** Deployments and what is below them. */
  readonly workloads: boolean
  /** Services and Routes. */
  readonly publishing: boolean
  /** Machines, and the nodes that they are. */
  readonly machines: boolean
  /** The ClusterVersion of the guest, and its operators. */
  readonly version: boolean
}

/** Conditions that are about something that runs in the namespace of the control plane. */
const ofWorkloads = [
  'EtcdAvailable',
  'KubeAPIServerAvailable',
  'IgnitionEndpointAvailable',
  'DataPlaneConnectionAvailable',
  'ConfigOperatorReconciliationSucceeded',
]

export function hostedNeeds({ hostedCluster, components, pools }: HostedObjects): HostedNeeds {
  const { conditions, controlPlaneVersion, version } = hostedCluster.status ?? {}
  const isDeleting = hostedCluster.metadata.deletionTimestamp !== undefined
  const isRolling = controlPlaneVersion?.history?.[0]?.state !== 'Completed'
  const isBroken = components.some(
    ({ status }) => isFalse(status?.conditions, 'RolloutComplete') || isFalse(status?.conditions, 'Available'),
  )
  const isUnreachable = findCondition(conditions, 'Available')?.reason === 'KASLoadBalancerNotReachable'
  const workloads = isDeleting || (isRolling && components.length > 0) || isBroken || ofWorkloads.some((type) => isFalse(conditions, type))
  const isBlocked = findCondition(conditions, 'Progressing')?.reason === 'Blocked'
  const isGuestBehind = version?.history?.[0]?.state === 'Partial' && isTrue(conditions, 'KubeAPIServerAvailable')
  const isUnpublished = isFalse(conditions, 'InfrastructureReady') || isFalse(conditions, 'ExternalDNSReachable')
  const hasNoIgnition = pools.some((pool) => isUnsettled(pool) && isFalse(pool.status?.conditions, 'ReachedIgnitionEndpoint'))
  return {
    isDeleting,
    itself: isDeleting || findCondition(conditions, 'ValidReleaseImage')?.reason === 'SecretNotFound',
    workloads,
    publishing: !isDeleting && (isUnpublished || isUnreachable || hasNoIgnition),
    controlPlane: isDeleting || isRolling,
    machines: pools.some(isUnsettled),
    version:
      !isDeleting &&
      (isGuestBehind ||
        isFalse(conditions, 'ClusterVersionSucceeding') ||
        isFalse(conditions, 'ClusterVersionReleaseAccepted') ||
        (isBlocked && isFalse(conditions, 'ClusterVersionUpgradeable'))),
  }
}

export interface ClassicNeeds {
  readonly nodes: boolean
  /** Machines and their sets. */
  readonly machines: boolean
}

export function classicNeeds({ machineConfigPools, nodes, upgradeConfig }: ClassicObjects): ClassicNeeds {
  const isUnsettledPool = machineConfigPools.some(({ status }) => {
    const { conditions, machineCount = 0, updatedMachineCount = 0, unavailableMachineCount = 0, degradedMachineCount = 0 } = status ?? {}
    const isBehind = updatedMachineCount < machineCount || isTrue(conditions, 'Updating')
    return isBehind || unavailableMachineCount > 0 || degradedMachineCount > 0 || isTrue(conditions, 'Degraded')
  })
  const entry = upgradeConfig === undefined ? undefined : entryOf(upgradeConfig)
  const step = entry?.phase === 'Upgrading' ? newestFalse(entry)?.type : undefined
  const machines = step === 'ComputeCapacityReserved' || step === 'ComputeCapacityRemoved'
  return { nodes: isUnsettledPool || machines || nodes.ready < nodes.wanted, machines }
}
