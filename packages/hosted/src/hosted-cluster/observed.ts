import type { HostedCluster, HostedControlPlane, NodePool as NodePoolObject } from '@windlass/api'
import { HostedControlPlane as ControlPlaneKind, NodePool } from '@windlass/api'
import type { Release } from '../releases/index.ts'
import type { Lookup } from './lookup.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import type { Snapshot } from './snapshot.ts'

/** Everything that one pass over a hosted cluster looks at. */
export interface ObservedHostedCluster {
  readonly cluster: HostedCluster
  readonly objects: Snapshot
  /** Answers by pullspec; `pullspecsOf` names those that are needed. */
  readonly releases: ReadonlyMap<string, Lookup<Release>>
  /** The image of the control plane operator, by annotation or from the release. */
  readonly operatorImage: Lookup<OperatorImage>
  /** Why virtual machines cannot run in the cluster that is to run them; undefined when they can, and on other platforms. */
  readonly kubevirtProblem: string | undefined
  readonly management: ManagementCluster
}

export interface OperatorImage {
  readonly image: string
  readonly labels: Readonly<Record<string, string>>
}

/** What is known of the management cluster besides its objects, and how we were told to treat the clusters on it. */
export interface ManagementCluster {
  /** Whether its monitoring looks into control planes. */
  readonly isMonitored: boolean
  /** `apps.mgmt.example.com`: below it everything that is routed has its name. */
  readonly ingressDomain: string | undefined
  readonly clusterNetworks: readonly string[]
  readonly serviceNetworks: readonly string[]
  /** Addresses of its own API servers. */
  readonly apiServers: readonly string[]
  readonly hasOpenShiftDns: boolean
  readonly aws: { readonly region: string | undefined; readonly hasCredentials: boolean }
  /** A control plane may not skip a minor. Otherwise it may, and people are warned. */
  readonly enforcesSequentialMinors: boolean
}

/** Undefined before it is made and after it is gone. */
export function controlPlaneOf({ cluster, objects }: ObservedHostedCluster): HostedControlPlane | undefined {
  return objects.find(ControlPlaneKind, { namespace: controlPlaneNamespaceOf(cluster), name: cluster.metadata.name ?? '' })
}

export function nodePoolsOf({ cluster, objects }: ObservedHostedCluster): readonly NodePoolObject[] {
  const { name, namespace = '' } = cluster.metadata
  return objects.list(NodePool, { namespace }).filter(({ spec }) => spec.clusterName === name)
}
