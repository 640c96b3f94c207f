import type { KubernetesObject, Resource } from '@windlass/api'
import { ensure, ensurePatch, remove } from '@windlass/kube'
import type { DeleteAction, Draft, EnsureAction, Ref } from '@windlass/kube'

/** What a list is about. */
export interface ListSelection {
  readonly namespace?: string
  /** All of these labels, with these values. */
  readonly labels?: Readonly<Record<string, string>>
}

/** The management cluster as it was read for one pass: a value that does not change while it is looked at. */
export interface Snapshot {
  find<T extends KubernetesObject>(kind: Resource<T>, ref: Ref): T | undefined
  list<T extends KubernetesObject>(kind: Resource<T>, selection?: ListSelection): readonly T[]
  /** Whether the API server knows the kind: not every management cluster is an OpenShift with every provider. */
  serves(kind: Resource): boolean
}

/**
 * The same without a namespace and what is in it: for a cluster that it does not belong to, though it has the name that the cluster's own would have.
 */
export function without(namespace: string, objects: Snapshot): Snapshot {
  const isHidden = (object: KubernetesObject | Ref, kind: Resource): boolean => {
    const { name, namespace: place } = 'metadata' in object ? object.metadata : object
    return place === namespace || (kind.kind === 'Namespace' && name === namespace)
  }
  return {
    find: (kind, ref) => (isHidden(ref, kind) ? undefined : objects.find(kind, ref)),
    list: (kind, selection) => objects.list(kind, selection).filter((object) => !isHidden(object, kind)),
    serves: (kind) => objects.serves(kind),
  }
}

/** `ensure`, unless the object looks so already: a pass over an unchanged cluster has nothing to do. */
export function ensured<T extends KubernetesObject>(
  objects: Snapshot,
  kind: Resource<T>,
  draft: Draft<T> & { readonly metadata: { readonly name: string; readonly namespace?: string } },
  reason: string,
  owns: readonly string[] = [],
): readonly EnsureAction<T>[] {
  const { name, namespace } = draft.metadata
  const live = objects.find(kind, namespace === undefined ? { name } : { namespace, name })
  if (live !== undefined && ensurePatch(live, draft, owns) === undefined) return []
  return [ensure(kind, draft, reason, { owns })]
}

/** `remove`, for an object that is there and not on its way out. */
export function removed<T extends KubernetesObject>(kind: Resource<T>, object: T | undefined, reason: string): readonly DeleteAction<T>[] {
  return object === undefined || object.metadata.deletionTimestamp !== undefined ? [] : [remove(kind, object, reason)]
}
