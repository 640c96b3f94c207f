import { ClusterRole, ClusterRoleBinding, Namespace, Role, RoleBinding } from '@windlass/api'
import type { HostedCluster, KubernetesObject, PolicyRule, Resource, Subject } from '@windlass/api'
import type { Action, Ref } from '@windlass/kube'
import { clusterKeyOf, controlPlaneNamespaceOf } from './namespace-name.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { ensured, removed } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { Annotation, Label } from './wire.ts'

const apiGroup = 'rbac.authorization.k8s.io'
const reading = ['get', 'list', 'watch']

/** A right in one namespace: a Role and a RoleBinding of the same name. */
interface Grant {
  readonly name: string
  readonly namespace: string
  readonly rules: readonly PolicyRule[]
  readonly subjects: readonly Subject[]
}

const account = (name: string, namespace: string): Subject => ({ kind: 'ServiceAccount', name, namespace })

/** The operator of a control plane looks after Routes through the ingress of the management cluster, where there is one. */
function ingressGrants(cluster: HostedCluster): readonly Grant[] {
  const home = controlPlaneNamespaceOf(cluster)
  const name = `control-plane-operator-${home}`
  const subjects = [account('control-plane-operator', home)]
  return [
    { name, namespace: 'openshift-ingress', subjects, rules: [{ apiGroups: [''], resources: ['services'], verbs: reading }] },
    {
      name,
      namespace: 'openshift-ingress-operator',
      subjects,
      rules: [{ apiGroups: ['operator.openshift.io'], resources: ['ingresscontrollers'], verbs: ['*'] }],
    },
  ]
}

function monitoringGrant(cluster: HostedCluster): Grant {
  return {
    name: 'openshift-prometheus',
    namespace: controlPlaneNamespaceOf(cluster),
    subjects: [account('prometheus-k8s', 'openshift-monitoring')],
    rules: [{ apiGroups: [''], resources: ['services', 'endpoints', 'pods'], verbs: reading }],
  }
}

/** What control planes may do outside of their namespace. */
export function rbac(observed: ObservedHostedCluster): readonly Action[] {
  const { cluster, objects, management } = observed
  const ingress = ingressGrants(cluster).filter(({ namespace }) => objects.find(Namespace, { name: namespace }) !== undefined)
  const grants = management.isMonitored ? [...ingress, monitoringGrant(cluster)] : ingress
  const isManagingMachines = cluster.metadata.annotations?.[Annotation.disableMachineManagement] === undefined
  return [...grants.flatMap((grant) => granted(objects, grant, cluster)), ...(isManagingMachines ? clusterApiAccess(observed) : [])]
}

function granted(objects: Snapshot, { name, namespace, rules, subjects }: Grant, cluster: HostedCluster): readonly Action[] {
  const metadata = { name, namespace, annotations: { [Annotation.cluster]: clusterKeyOf(cluster) } }
  const roleRef = { apiGroup, kind: 'Role', name } as const
  const reason = 'parts of the control plane need this right'
  return [...ensured(objects, Role, { metadata, rules }, reason), ...ensured(objects, RoleBinding, { metadata, subjects, roleRef }, reason)]
}

/** Cluster API wants to know which kinds there are. Each cluster has a role of its own, so that the last one leaves nothing behind. */
function clusterApiAccess({ cluster, objects }: ObservedHostedCluster): readonly Action[] {
  const home = controlPlaneNamespaceOf(cluster)
  const name = clusterApiRoleOf(cluster)
  const role = {
    metadata: { name, labels: ownerLabelsOf(cluster) },
    rules: [{ apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: reading }],
  }
  const binding = {
    metadata: { name, annotations: { [Annotation.cluster]: clusterKeyOf(cluster) } },
    subjects: [account('cluster-api', home), account('capi-provider', home)],
    roleRef: { apiGroup, kind: 'ClusterRole', name } as const,
  }
  const reason = 'Cluster API looks at custom resource definitions'
  return [...ensured(objects, ClusterRole, role, reason), ...ensured(objects, ClusterRoleBinding, binding, reason)]
}

function clusterApiRoleOf(cluster: HostedCluster): string {
  return `${controlPlaneNamespaceOf(cluster)}-cluster-api`
}

/** Storage of KubeVirt guests is made from volumes of the management cluster, which belong to no namespace. */
export function kubevirtStorageAccess({ cluster, objects }: ObservedHostedCluster): readonly Action[] {
  if (cluster.spec.platform.type !== 'KubeVirt') return []
  const home = controlPlaneNamespaceOf(cluster)
  const name = `${home}-kubevirt-csi-cluster`
  const metadata = { name, labels: ownerLabelsOf(cluster) }
  const binding = {
    metadata,
    subjects: [account('kubevirt-csi-controller', home)],
    roleRef: { apiGroup, kind: 'ClusterRole', name } as const,
  }
  const reason = 'storage of the guest is made from volumes here'
  return [
    ...ensured(objects, ClusterRole, { metadata, rules: [{ apiGroups: [''], resources: ['persistentvolumes'], verbs: ['get'] }] }, reason),
    ...ensured(objects, ClusterRoleBinding, binding, reason),
  ]
}

/** On everything without a namespace that is made for one cluster: there is no owner it could go with. */
export function ownerLabelsOf({ metadata: { namespace = '', name = '' } }: HostedCluster): Readonly<Record<string, string>> {
  return { [Label.ownerNamespace]: namespace, [Label.ownerName]: name }
}

const gone = 'the cluster that it was for is being deleted'

/** Takes back rights in namespaces that stay, and the binding of Cluster API. Those of a cluster with a similar name carry another mark. */
export function revokeAccess({ cluster, objects }: ObservedHostedCluster): readonly Action[] {
  const ours = <T extends KubernetesObject>(kind: Resource<T>, ref: Ref): readonly Action[] => {
    const live = objects.find(kind, ref)
    return live?.metadata.annotations?.[Annotation.cluster] === clusterKeyOf(cluster) ? removed(kind, live, gone) : []
  }
  const ingress = ingressGrants(cluster).flatMap(({ namespace, name }) => [
    ...ours(RoleBinding, { namespace, name }),
    ...ours(Role, { namespace, name }),
  ])
  return [...ingress, ...ours(ClusterRoleBinding, { name: clusterApiRoleOf(cluster) })]
}

/** Removes everything without a namespace that carries the labels of the cluster. */
export function removeOwned({ cluster, objects }: ObservedHostedCluster): readonly Action[] {
  const selection = { labels: ownerLabelsOf(cluster) }
  return [
    ...objects.list(ClusterRole, selection).flatMap((role) => removed(ClusterRole, role, gone)),
    ...objects.list(ClusterRoleBinding, selection).flatMap((binding) => removed(ClusterRoleBinding, binding, gone)),
  ]
}
