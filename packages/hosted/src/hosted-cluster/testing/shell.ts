import {
  capi,
  ClusterRole,
  ClusterRoleBinding,
  ClusterVersion,
  ConfigMap,
  ControlPlaneComponent,
  Deployment,
  HostedCluster,
  HostedControlPlane,
  Namespace,
  NetworkPolicy,
  NodePool,
  Role,
  RoleBinding,
  Route,
  Secret,
  Service,
  toCrd,
} from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import { parseKey, watching } from '@windlass/kube'
import type { CacheReader, ControllerDefinition, Ref } from '@windlass/kube'
import { decideHostedCluster } from '../decide.ts'
import { found } from '../lookup.ts'
import type { ObservedHostedCluster } from '../observed.ts'
import type { Snapshot } from '../snapshot.ts'
import { Annotation, isReferenceMark } from '../wire.ts'
import { identifiers, management, releasesFor } from './clusters.ts'

const ours = [HostedCluster, HostedControlPlane, NodePool, ControlPlaneComponent, capi.Cluster, Route]
const builtin = [Namespace, Secret, ConfigMap, Deployment, Service, NetworkPolicy, Role, RoleBinding, ClusterRole, ClusterRoleBinding]
const read: readonly Resource[] = [...ours, ...builtin]

/** What a server needs to know for hosted clusters. */
export const definitions: readonly object[] = [...ours, ClusterVersion].map((kind) => toCrd(kind))

const versions = ['4.18.4', '4.19.6', '4.20.1']

/** Hosted clusters as a controller, with a registry that has a few releases: the least that decisions need to be carried out for real. */
export const hostedClusters: ControllerDefinition<HostedCluster, ObservedHostedCluster> = {
  name: 'hosted-clusters',
  for: HostedCluster,
  watches: read.filter((kind) => kind !== HostedCluster).map((kind) => watching(kind, clustersOf)),
  observe(ref, cache) {
    const cluster = cache.get(HostedCluster, ref)
    if (cluster === undefined) return undefined
    return {
      cluster,
      objects: snapshotOf(cache),
      releases: releasesFor(...versions),
      operatorImage: found({ image: 'example.com/ocp/hypershift:4.19.6', labels: {} }),
      kubevirtProblem: undefined,
      management,
    }
  },
  decide: (observed, now) => decideHostedCluster(observed, now, identifiers),
}

function snapshotOf(cache: CacheReader): Snapshot {
  const serves = (kind: Resource): boolean =>
    read.some(({ apiVersion, plural }) => apiVersion === kind.apiVersion && plural === kind.plural)
  return {
    find: (kind, ref) => (serves(kind) ? cache.get(kind, ref) : undefined),
    list: (kind, { namespace, labels = {} } = {}) =>
      cache
        .list(kind, namespace === undefined ? {} : { namespace })
        .filter(({ metadata }) => Object.entries(labels).every(([label, value]) => metadata.labels?.[label] === value)),
    serves,
  }
}

/** Whom a change concerns: by the mark on what we made, by the mark on what a cluster refers to, by name. */
function clustersOf(object: KubernetesObject): readonly Ref[] {
  const { annotations = {}, namespace = '' } = object.metadata
  const made = annotations[Annotation.cluster]
  const referring = Object.keys(annotations)
    .filter(isReferenceMark)
    .map((mark) => ({ namespace, name: mark.slice(mark.indexOf('/') + 1) }))
  const pool =
    object.kind === NodePool.kind ? [{ namespace, name: String(Reflect.get(Reflect.get(object, 'spec') as object, 'clusterName')) }] : []
  return [...(made === undefined ? [] : [parseKey(made)]), ...referring, ...pool]
}
