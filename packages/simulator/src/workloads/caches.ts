import { Job, type KubernetesObject, Namespace, Node, Pod, ReplicaSet, type Resource } from '@windlass/api'
import {
  annotationChanged,
  cached,
  type CachedKind,
  type CacheReader,
  changed,
  controllerOf,
  type Predicate,
  type Ref,
  refOf,
  watching,
  type Watching,
} from '@windlass/kube'
import { failureAnnotation } from '../failures/index.ts'
import { isReady } from './pods/index.ts'

const byController = (object: KubernetesObject): readonly string[] => {
  const owner = controllerOf(object)
  return owner === undefined ? [] : [owner.uid]
}

const isUnplaced = ({ spec }: Pod): readonly string[] => ((spec.nodeName ?? '') === '' ? ['yes'] : [])

/** What the controllers of workloads keep in memory. Declared once, so that they share it: an index is known by its function. */
export const pods = cached<Pod, 'controller' | 'unplaced'>(Pod, { indexes: { controller: byController, unplaced: isUnplaced } })
export const replicaSets = cached<ReplicaSet, 'controller'>(ReplicaSet, { indexes: { controller: byController } })
export const jobs = cached<Job, 'controller'>(Job, { indexes: { controller: byController } })
export const nodes = cached(Node)
/** For the annotation that asks for failures, and to know which of them go. */
export const namespaces = cached(Namespace, { keeps: [] })

/** Whether nothing can be made in a namespace any more. All that is in it goes with it: there is nothing left to decide. */
export function isGoing(cache: CacheReader, { namespace = '' }: Ref): boolean {
  return cache.get(namespaces, { name: namespace })?.metadata.deletionTimestamp !== undefined
}

/** Objects that this one controls, in the order of their names: the cache has them in the order in which they came. */
export function controlledBy<T extends KubernetesObject>(
  cache: CacheReader,
  of: CachedKind<T, 'controller'>,
  { metadata }: KubernetesObject,
): readonly T[] {
  return [...cache.byIndex(of, 'controller', metadata.uid ?? '')].sort(byName)
}

function byName(a: KubernetesObject, b: KubernetesObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}

/**
 * Whose an object is, by the name of its controller. One that was deleted and made again is looked at for what is left of its former self:
 * it may wait for the names of that.
 */
export function controllersOf(kind: Resource): (object: KubernetesObject) => readonly Ref[] {
  return (object) => {
    const owner = controllerOf(object)
    if (owner === undefined || owner.kind !== kind.kind || !owner.apiVersion.startsWith(`${kind.group}/`)) return []
    const { namespace } = object.metadata
    return [namespace === undefined ? { name: owner.name } : { namespace, name: owner.name }]
  }
}

/** A Pod has become something else to whoever counts Pods. Most of what a kubelet writes is none of their business. */
export const podCountsOtherwise: Predicate<Pod> = changed((pod: Pod) => [pod.status?.phase, isReady(pod), pod.metadata.deletionTimestamp])

/** Pods that an object of this kind controls. */
export function watchingPodsOf(kind: Resource): Watching<Pod> {
  return watching(pods, controllersOf(kind), podCountsOtherwise)
}

/** Failures are asked for, or taken back, for all objects of a namespace. */
export function watchingFailuresOf(of: CachedKind<KubernetesObject, string> | Resource): Watching<Namespace> {
  return watching<Namespace>(
    namespaces,
    ({ metadata: { name = '' } }, cache) => cache.list(of, { namespace: name }).map(refOf),
    annotationChanged(failureAnnotation),
  )
}
