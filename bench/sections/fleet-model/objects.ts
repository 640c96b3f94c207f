import { ControlPlaneComponent, HostedCluster, type KubernetesObject, NodePool, type Resource } from '@windlass/api'
import {
  aControlPlaneComponent,
  aControlPlaneVersion,
  aHostedCluster,
  aNodePool,
  aReleaseImage,
  aVersionStatus,
} from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'

/** As many as a control plane on KubeVirt has, and as many pools as people make. */
export const componentsEach = 38
export const poolsEach = 3

const versions = ['4.18.20', '4.19.6', '4.19.19', '4.20.1', '4.20.3']
const start = Date.UTC(2026, 2, 6, 12)

/** Which version a cluster runs. */
export function versionOf(cluster: number): string {
  return versions[cluster % versions.length] ?? ''
}

export function nameOf(cluster: number): string {
  return `cluster-${cluster}`
}

const clusterConditions: readonly (readonly [string, 'True' | 'False' | 'Unknown'])[] = [
  ['Available', 'True'],
  ['Progressing', 'False'],
  ['Degraded', 'False'],
  ['InfrastructureReady', 'True'],
  ['KubeAPIServerAvailable', 'True'],
  ['IgnitionEndpointAvailable', 'True'],
  ['EtcdAvailable', 'True'],
  ['ValidReleaseInfo', 'True'],
  ['ValidConfiguration', 'True'],
  ['SupportedHostedCluster', 'True'],
  ['ClusterVersionSucceeding', 'True'],
  ['ClusterVersionAvailable', 'True'],
  ['ClusterVersionProgressing', 'False'],
  ['ClusterVersionReleaseAccepted', 'True'],
  ['ClusterVersionUpgradeable', 'True'],
  ['ReconciliationActive', 'True'],
  ['ReconciliationSucceeded', 'True'],
  ['ConfigOperatorReconciliationSucceeded', 'True'],
  ['ValidHostedControlPlaneConfiguration', 'True'],
  ['ValidReleaseImage', 'True'],
  ['PlatformCredentialsFound', 'True'],
  ['DataPlaneConnectionAvailable', 'True'],
  ['ControlPlaneConnectionAvailable', 'True'],
  ['ExternalDNSReachable', 'Unknown'],
]

const poolConditions: readonly (readonly [string, 'True' | 'False'])[] = [
  ['Ready', 'True'],
  ['AllMachinesReady', 'True'],
  ['AllNodesHealthy', 'True'],
  ['ReachedIgnitionEndpoint', 'True'],
  ['ReconciliationActive', 'True'],
  ['SupportedVersionSkew', 'True'],
  ['UpdateManagementEnabled', 'True'],
  ['UpdatingConfig', 'False'],
  ['UpdatingVersion', 'False'],
  ['ValidArchPlatform', 'True'],
  ['ValidGeneratedPayload', 'True'],
  ['ValidMachineConfig', 'True'],
  ['ValidPlatformImage', 'True'],
  ['ValidReleaseImage', 'True'],
  ['ValidTuningConfig', 'True'],
]

/** No two objects were made in the same second: equal times would be kept once, and flatter the figures. */
function said<Status extends string>(conditions: readonly (readonly [string, Status])[], seed: number) {
  return conditions.map(([type, status], index) => ({
    type,
    status,
    reason: 'AsExpected',
    message: `${type} is as it should be`,
    lastTransitionTime: formatTime(start - (seed * 7 + index * 13) * 1000),
    observedGeneration: 1,
  }))
}

export function cluster(index: number, more: { readonly to?: string } = {}): HostedCluster {
  const version = versionOf(index)
  const controlPlaneVersion = aControlPlaneVersion(version)
  const { history = [] } = controlPlaneVersion
  const to = more.to ?? version
  const image = aReleaseImage(to)
  const entry = { state: 'Partial', version: to, image, startedTime: formatTime(start) } as const
  return aHostedCluster({
    name: nameOf(index),
    release: to,
    metadata: { labels: { team: `team-${index % 20}` }, creationTimestamp: formatTime(start - index * 60_000) },
    status: {
      controlPlaneVersion:
        more.to === undefined
          ? controlPlaneVersion
          : { ...controlPlaneVersion, desired: { version: to, image }, history: [entry, ...history] },
      version: aVersionStatus(version),
      kubeconfig: { name: `${nameOf(index)}-admin-kubeconfig` },
      conditions: said(clusterConditions, index),
    },
  })
}

export function component(index: number, of: number, version: string): ControlPlaneComponent {
  return aControlPlaneComponent({
    name: `component-${of}`,
    namespace: `clusters-${nameOf(index)}`,
    status: {
      version,
      observedGeneration: 1,
      conditions: said(
        [
          ['Available', 'True'],
          ['RolloutComplete', 'True'],
        ],
        index * componentsEach + of,
      ),
      resources: Array.from({ length: 8 }, (_, resource) => ({ kind: 'ConfigMap', group: '', name: `component-${of}-${resource}` })),
    },
  })
}

export function pool(index: number, of: number, ready: number): NodePool {
  const version = versionOf(index)
  return aNodePool({
    name: `${nameOf(index)}-${of}`,
    release: version,
    spec: { clusterName: nameOf(index), replicas: 3 },
    status: {
      replicas: 3,
      version,
      nodesInfo: { nodeVersions: [{ ocpVersion: version, kubeletVersion: 'v1.33.1', readyNodeCount: ready, unreadyNodeCount: 3 - ready }] },
      conditions: said(poolConditions, index * poolsEach + of),
    },
  })
}

/** All objects of a kind, one after the other: they are never in memory at once. */
export function* objectsOf(kind: Resource, clusters: number): Generator<KubernetesObject, void, undefined> {
  for (let index = 0; index < clusters; index++) {
    if (kind.plural === HostedCluster.plural) yield cluster(index)
    if (kind.plural === ControlPlaneComponent.plural) {
      for (let of = 0; of < componentsEach; of++) yield component(index, of, versionOf(index))
    }
    if (kind.plural === NodePool.plural) for (let of = 0; of < poolsEach; of++) yield pool(index, of, 3)
  }
}
