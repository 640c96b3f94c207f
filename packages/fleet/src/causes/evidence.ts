import type {
  capi,
  ClusterOperator,
  ClusterVersion,
  Deployment,
  Event,
  HostedControlPlane,
  Job,
  machineApi,
  Namespace,
  Node,
  Pod,
  PodDisruptionBudget,
  Route,
  Service,
  StatefulSet,
} from '@windlass/api'
import type { ClassicObjects, HostedObjects } from '../model/objects.ts'
import type { PersistentVolumeClaim } from './claim.ts'

/**
 * What causes are found from: the objects that a fleet has in memory anyway, and what was read beside them. A list that is empty says nothing: it may not
 * have been looked at. What was asked for and not answered is in `unknown`.
 */
export type Evidence = HostedEvidence | ClassicEvidence

type Known<T> = Omit<T, 'client' | 'isCurrent' | 'member' | 'unread'>

export interface HostedEvidence extends Known<HostedObjects> {
  readonly controlPlane: ControlPlaneEvidence
  readonly machines: MachineEvidence
  readonly guest: GuestEvidence
  /** Sentences. */
  readonly unknown: readonly string[]
}

export interface ClassicEvidence extends Known<ClassicObjects> {
  /** The nodes themselves, where it may be one of them; `nodes` is only how many there are. */
  readonly guest: GuestEvidence
  readonly machineSets: readonly machineApi.MachineSet[]
  readonly machines: readonly machineApi.Machine[]
  readonly unknown: readonly string[]
}

/** The namespace of a control plane. */
export interface ControlPlaneEvidence {
  readonly itself?: HostedControlPlane
  readonly namespace?: Namespace
  readonly deployments: readonly Deployment[]
  readonly statefulSets: readonly StatefulSet[]
  readonly jobs: readonly Job[]
  readonly pods: readonly Pod[]
  readonly claims: readonly PersistentVolumeClaim[]
  readonly services: readonly Service[]
  readonly routes: readonly Route[]
  /** Warnings alone. */
  readonly events: readonly Event[]
}

/** Machines of all pools of a hosted cluster. */
export interface MachineEvidence {
  readonly clusters: readonly capi.Cluster[]
  readonly deployments: readonly capi.MachineDeployment[]
  readonly machines: readonly capi.Machine[]
  readonly healthChecks: readonly capi.MachineHealthCheck[]
}

/** The cluster itself, as people who use it see it. */
export interface GuestEvidence {
  readonly clusterVersion?: ClusterVersion
  readonly operators: readonly ClusterOperator[]
  readonly nodes: readonly Node[]
  /** On nodes that are being drained. */
  readonly pods: readonly Pod[]
  /** In the namespaces of these Pods. */
  readonly budgets: readonly PodDisruptionBudget[]
}

export const noControlPlane: ControlPlaneEvidence = {
  deployments: [],
  statefulSets: [],
  jobs: [],
  pods: [],
  claims: [],
  services: [],
  routes: [],
  events: [],
}
export const noMachines: MachineEvidence = { clusters: [], deployments: [], machines: [], healthChecks: [] }
export const noGuest: GuestEvidence = { operators: [], nodes: [], pods: [], budgets: [] }
