import { ConfigMap, Deployment, Namespace, Route, Service } from '@windlass/api'
import type { NodePool, Secret } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import { annotationChanged, changed, generationChanged, or, parseKey, watching } from '@windlass/kube'
import type { CacheReader, Predicate, Ref, Watching } from '@windlass/kube'
import { clusterKinds, clusterRoleBindings, clusterRoles, clusters, componentKinds, nodePools, secrets } from '../management/index.ts'
import type { ServedKinds } from '../management/index.ts'
import { Annotation, Label, PoolAnnotation } from './wire.ts'

/** Of these also what is not marked may matter. */
const alsoUnmarked: readonly Resource[] = [Deployment, Route, Service]

/** Kinds of components: those that the cluster runs itself are marked. */
const marked = componentKinds.filter((kind) => kind !== ConfigMap && !alsoUnmarked.includes(kind))

/** Parts of a control plane that its own controller makes, and that the status of the cluster tells of. */
const toldOf: ReadonlySet<string> = new Set(['ignition-server', 'ignition-server-proxy', 'kube-apiserver'])

/** What concerns a cluster, and how it is found from there. */
export function watchesOf(served: ServedKinds): readonly Watching[] {
  const of = (kinds: readonly Resource[]): readonly Resource[] => kinds.filter((kind) => served.has(kind))
  return [
    ...of([...clusterKinds, ...marked]).map((kind) => watching(kind, byMark)),
    ...of(alsoUnmarked).map((kind) => watching(kind, (object, cache) => [...byMark(object), ...byNamespace(object, cache)])),
    watching(secrets, byMark),
    watching(secrets, (secret, cache) => byReference('secret', secret, cache), contentChanged),
    watching(ConfigMap, byMark),
    watching(ConfigMap, (configMap, cache) => byReference('configMap', configMap, cache), contentChanged),
    watching(nodePools, ({ metadata: { namespace = '' }, spec }) => [{ namespace, name: spec.clusterName }], poolChanged),
    watching(clusterRoles, byOwner),
    watching(clusterRoleBindings, (binding) => [...byMark(binding), ...byOwner(binding)]),
  ]
}

/** The cluster that an object was made for says so itself. */
function byMark({ metadata }: KubernetesObject): readonly Ref[] {
  const key = metadata.annotations?.[Annotation.cluster]
  return key === undefined ? [] : [parseKey(key)]
}

/** What lives in the namespace of a control plane, and is worth a look. */
function byNamespace({ metadata: { namespace = '', name = '' } }: KubernetesObject, cache: CacheReader): readonly Ref[] {
  const home = toldOf.has(name) ? cache.get(Namespace, { name: namespace }) : undefined
  return home === undefined ? [] : byMark(home)
}

/**
 * Every cluster that refers to an object leaves its own mark in the annotations of it: of ten thousand clusters with one pull secret, each would wake
 * all the others.
 */
const contentChanged: Predicate<ConfigMap | Secret> = changed((object: ConfigMap | Secret) => [
  object.data,
  'binaryData' in object ? object.binaryData : undefined,
])

/** What pools are to be concerns their cluster, not how far they are: they say so at every step of every node. */
const poolChanged: Predicate<NodePool> = or(generationChanged, annotationChanged(PoolAnnotation.enableSpot))

/** Clusters that refer to it. They are found though it did not exist until now. */
function byReference(
  index: 'secret' | 'configMap',
  { metadata: { namespace = '', name = '' } }: KubernetesObject,
  cache: CacheReader,
): readonly Ref[] {
  return cache.byIndex(clusters, index, `${namespace}/${name}`).map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }))
}

/** What has no namespace is labelled with its cluster. */
function byOwner({ metadata: { labels = {} } }: KubernetesObject): readonly Ref[] {
  const [namespace, name] = [labels[Label.ownerNamespace], labels[Label.ownerName]]
  return namespace === undefined || name === undefined ? [] : [{ namespace, name }]
}
