import {
  capi,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  ControlPlaneComponent,
  CronJob,
  Deployment,
  HostedCluster,
  HostedControlPlane,
  Job,
  Namespace,
  NetworkPolicy,
  NodePool,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  Route,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
  StatefulSet,
} from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import { cached } from '@windlass/kube'
import { infrastructureKinds } from '../hosted-cluster/infrastructure.ts'
import { leftoverKinds } from '../hosted-cluster/leftovers.ts'
import { referencesOf } from '../hosted-cluster/copies.ts'
import { Label } from '../hosted-cluster/wire.ts'

const inNamespace =
  (names: (cluster: HostedCluster) => readonly string[]) =>
  (cluster: HostedCluster): readonly string[] =>
    names(cluster).map((name) => `${cluster.metadata.namespace ?? ''}/${name}`)

/** Found by what they refer to: also by what is not there yet. */
export const clusters = cached(HostedCluster, {
  indexes: {
    secret: inNamespace((cluster) => referencesOf(cluster).secrets),
    configMap: inNamespace((cluster) => referencesOf(cluster).configMaps),
  },
})

export const nodePools = cached(NodePool, {
  indexes: { cluster: ({ metadata, spec }) => [`${metadata.namespace ?? ''}/${spec.clusterName}`] },
})

const labelled =
  (label: string) =>
  ({ metadata }: KubernetesObject): readonly string[] => {
    const value = metadata.labels?.[label]
    return value === undefined ? [] : [value]
  }

export const secrets = cached<Secret, 'infra'>(Secret, { indexes: { infra: labelled(Label.madeForInfra) } })
export const clusterRoles = cached<ClusterRole, 'owner'>(ClusterRole, { indexes: { owner: labelled(Label.ownerName) } })
export const clusterRoleBindings = cached<ClusterRoleBinding, 'owner'>(ClusterRoleBinding, {
  indexes: { owner: labelled(Label.ownerName) },
})

/** What components of a control plane are made of, and what says how they are. Of all of it the namespace tells whose it is. */
export const componentKinds: readonly Resource[] = [
  Deployment,
  StatefulSet,
  Job,
  CronJob,
  Service,
  ServiceAccount,
  ConfigMap,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  ControlPlaneComponent,
  ServiceMonitor,
  Route,
]

/** What is made for a cluster besides its control plane. Each object says by annotation which cluster it was made for. */
export const clusterKinds: readonly Resource[] = [
  Namespace,
  HostedControlPlane,
  NetworkPolicy,
  capi.Cluster,
  ...infrastructureKinds,
  ...leftoverKinds,
]
