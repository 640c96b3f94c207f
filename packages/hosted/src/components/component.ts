import type { HostedControlPlane } from '@windlass/api'
import type { Facts } from './control-plane.ts'

export type WorkloadKind = 'Deployment' | 'StatefulSet' | 'Job' | 'CronJob'

/**
 * Who runs a component. Those of the HostedCluster have no owner reference: they must outlive the HostedControlPlane to clean up after it.
 *
 * What karpenter-operator runs upstream is looked after by the controller of HostedControlPlanes: here the operator is a Deployment like any other, and
 * nobody would make it.
 */
export type Runner = 'hosted-control-plane' | 'hosted-cluster' | 'karpenter-operator'

/** Whether a component runs. One that cannot tell throws; then nothing is changed, neither made nor removed. */
export type Predicate = (hcp: HostedControlPlane, facts: Facts) => boolean

/** A Deployment that a component makes by itself, and the container of it that tells which release it runs. */
export interface Operand {
  readonly deployment: string
  readonly container: string
  /** The name of the image in the payload. */
  readonly image: string
}

/**
 * What must have rolled out besides a component's own workload: these Deployments, or all that are labelled as managed by the component and say
 * by annotation for which version they were made.
 */
export type Operands = ((hcp: HostedControlPlane) => readonly Operand[]) | 'labelled'

/** One row of the registry: what is contract about a component. What its pods look like is in `templates/`. */
export interface Component {
  /** Of the component, its workload and its ControlPlaneComponent. */
  readonly name: string
  readonly workload: WorkloadKind
  readonly runBy: Runner
  /** Explicit ones; see `dependencies.ts` for the rest. */
  readonly dependsOn: readonly string[]
  readonly isEnabled: Predicate
  /** Does not wait for kube-apiserver. */
  readonly isExempt: boolean
  /** Answers requests of clients of the cluster; a dedicated topology gives it nodes of its own. */
  readonly isRequestServing: boolean
  /** The API is down, wholly or in part, when it is. */
  readonly isApiCritical: boolean
  /** Containers with the payload's names of their images. The first is the main one. */
  readonly images: Readonly<Record<string, string>>
  readonly initImages: Readonly<Record<string, string>>
  readonly operands: Operands | undefined
  /** Wins over what the availability policy says. */
  readonly replicas: ((hcp: HostedControlPlane) => number) | undefined
  /** The row in `templates/` that its pods are made from: shards of etcd share one. */
  readonly template: string
}

/** `etcd` and its shards. A name that only begins with the same letters (`etcdctl`) is none of them. */
export function isEtcd(name: string): boolean {
  return name === 'etcd' || name.startsWith('etcd-')
}
