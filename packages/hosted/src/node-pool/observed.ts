import type { capi, ConfigMap, HostedCluster, NodePool, Secret } from '@windlass/api'
import type { ConditionLike } from '@windlass/core'
import type { Lookup } from '../hosted-cluster/index.ts'
import type { Release } from '../releases/index.ts'
import type { MachineTemplate } from './templates/index.ts'

/** All that one pass over a pool looks at. */
export interface ObservedNodePool {
  readonly pool: NodePool
  readonly cluster: HostedCluster | undefined
  /** What `spec.release.image` is. */
  readonly release: Lookup<Release>
  /** What the HostedCluster's `spec.release.image` is: it counts while the cluster is being installed. */
  readonly clusterRelease: Lookup<Release>
  /** Objects with the annotation of the pool; `secrets` in every namespace, the others in that of the control plane. */
  readonly machines: Lookup<readonly capi.Machine[]>
  readonly machineSets: readonly capi.MachineSet[]
  readonly machineDeployment: capi.MachineDeployment | undefined
  readonly healthChecks: readonly capi.MachineHealthCheck[]
  readonly templates: readonly MachineTemplate[]
  readonly secrets: Lookup<readonly Secret[]>
  readonly configMaps: PoolConfigMaps
  /** In the namespace of the control plane: what nodes verify the ignition server with. */
  readonly ignitionCA: Secret | undefined
  readonly pullSecret: Secret | undefined
  readonly trustBundle: ConfigMap | undefined
  /** On Azure and OpenStack. */
  readonly cloudConfig: ConfigMap | undefined
  /** The image that machines start from, where the release names one; undefined where it does not, and where the pool brings its own. */
  readonly bootImage: Lookup<string> | undefined
  readonly controlPlaneOperator: ControlPlaneOperator
  /** On Azure: whether the name of the ignition server can be found already. */
  readonly isIgnitionHostKnown: boolean
  /** What the provider made of the machines: KubevirtMachines, AWSMachines. */
  readonly platformMachines: readonly PlatformMachine[]
  /** What one machine offers, for scaling from zero; undefined when nobody can be asked. */
  readonly capacity: InstanceOffer | undefined
}

export interface PoolConfigMaps {
  /** Configuration that the cluster owns, by label. */
  readonly core: readonly ConfigMap[]
  /** Those in the namespace of the pool that its spec refers to; missing ones are not there. */
  readonly referenced: readonly ConfigMap[]
  /** What tuning made for this pool, by label. */
  readonly tuningOutput: readonly ConfigMap[]
  /** All in the namespace of the control plane that carry the pool's label. */
  readonly mirrored: readonly ConfigMap[]
}

export interface ControlPlaneOperator {
  readonly image: string
  /** False for old ones, which put the machine configuration for the API proxy among the core ones themselves. */
  readonly leavesProxyConfigToUs: boolean
}

export interface PlatformMachine {
  readonly name: string
  readonly conditions: readonly (ConditionLike & { readonly reason?: string; readonly message?: string })[]
  /** AWS: `spec.additionalTags`. */
  readonly tags?: Readonly<Record<string, string>>
}

/** What is known of a kind of machine. `unknown`: whoever was asked knows all kinds, and not this one; it does not help to ask again. */
export type InstanceOffer = Lookup<InstanceCapacity> | { readonly is: 'unknown'; readonly problem: string }

export interface InstanceCapacity {
  readonly cpus: number
  readonly memoryMb: number
  readonly gpus: number
  readonly architecture: string
}
