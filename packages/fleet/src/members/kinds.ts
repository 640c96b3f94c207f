import {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  ControlPlaneComponent,
  HostedCluster,
  type KubernetesObject,
  MachineConfig,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  Node,
  NodePool,
  UpdateHealthInsight,
  UpgradeConfig,
} from '@windlass/api'
import { cached, type CachedKind } from '@windlass/kube'
import { controlPlaneNamespaceOf } from '@windlass/hosted'

/**
 * What is kept of each kind. A fleet has hundreds of thousands of components: every field that no answer needs is worth leaving out.
 */
export const hostedClusters = cached(HostedCluster, {
  keeps: [
    'spec.release',
    'spec.controlPlaneRelease',
    'spec.platform.type',
    'spec.services',
    'spec.secretEncryption.kms.provider',
    'spec.clusterID',
    'spec.infraID',
    'spec.channel',
    'spec.pausedUntil',
    'status.conditions',
    'status.controlPlaneVersion',
    'status.version.desired',
    'status.version.history',
    'status.kubeconfig',
  ],
  indexes: { controlPlaneNamespace: (cluster) => [controlPlaneNamespaceOf(cluster)] },
})

export const components = cached(ControlPlaneComponent, {
  keeps: ['status.version', 'status.observedGeneration', 'status.conditions'],
  drops: ['metadata.annotations', 'metadata.labels', 'metadata.ownerReferences', 'metadata.creationTimestamp', 'metadata.generation'],
})

export const nodePools = cached(NodePool, {
  keeps: [
    'spec.clusterName',
    'spec.release',
    'spec.management',
    'spec.replicas',
    'spec.autoScaling',
    'spec.pausedUntil',
    'spec.platform.type',
    'spec.nodeDrainTimeout',
    'status.conditions',
    'status.version',
    'status.replicas',
    'status.nodesInfo',
  ],
  indexes: { cluster: ({ metadata, spec }) => [`${metadata.namespace ?? ''}/${spec.clusterName}`] },
})

export const clusterVersions = cached(ClusterVersion, {
  keeps: ['spec.clusterID', 'spec.channel', 'spec.desiredUpdate', 'status.desired', 'status.history', 'status.conditions'],
})
export const clusterOperators = cached(ClusterOperator, { keeps: ['status.versions', 'status.conditions'] })
export const machineConfigPools = cached(MachineConfigPool, {
  keeps: [
    'spec.paused',
    'spec.configuration.name',
    'spec.maxUnavailable',
    'spec.nodeSelector',
    'status.conditions',
    'status.configuration.name',
    'status.machineCount',
    'status.updatedMachineCount',
    'status.readyMachineCount',
    'status.unavailableMachineCount',
    'status.degradedMachineCount',
  ],
})
/** Only which version it is of: the files in it are megabytes. */
export const machineConfigs = cached(MachineConfig, { keeps: [] })
/** To count them. */
export const nodes = cached(Node, { keeps: ['status.conditions'] })
export const upgradeConfigs = cached(UpgradeConfig)
export const versionInsights = cached(ClusterVersionProgressInsight, { keeps: ['status'] })
export const operatorInsights = cached(ClusterOperatorProgressInsight, { keeps: ['status'] })
export const poolInsights = cached(MachineConfigPoolProgressInsight, { keeps: ['status'] })
export const healthInsights = cached(UpdateHealthInsight, { keeps: ['status'] })

/** The side of a member: as a management cluster, or as a classic cluster. */
export type Side = 'Hosted' | 'Classic'

// Handles of several kinds side by side: whoever reads has the one of its kind at hand.
export type AnyKind = CachedKind<KubernetesObject, string>

/** Which clusters there are, and what their nodes run. Who may not read one of these may miss clusters, or nodes that are behind. */
export const tellingKinds: ReadonlySet<AnyKind> = new Set<AnyKind>([hostedClusters, nodePools, clusterVersions, machineConfigs, nodes])

/** What a member is read for. Without the first of its kinds a side is not there; others may be missing, and then nothing is known of them. */
export const sides: Readonly<Record<Side, readonly [AnyKind, ...AnyKind[]]>> = {
  Hosted: [hostedClusters, components, nodePools],
  Classic: [
    clusterVersions,
    clusterOperators,
    machineConfigPools,
    machineConfigs,
    nodes,
    upgradeConfigs,
    versionInsights,
    operatorInsights,
    poolInsights,
    healthInsights,
  ],
}
