import type { KubernetesObject, Resource } from '@windlass/api'
import type { Selection } from '../client/client.ts'
import type { CachedKind, CacheHandle, Extract } from './cache.ts'
import { parseFieldPath } from './field-path.ts'
import { projectionOf } from './projection.ts'

/** Everything that can be said about what is cached of a kind; all of it may be left out. */
export type CachedOptions<T extends KubernetesObject, Index extends string> = Partial<Omit<CachedKind<T, Index>, 'kind'>>

/**
 * Declares which objects of a kind are kept in memory:
 *
 * ```ts
 * const pools = cached(NodePool, { indexes: { cluster: (pool) => [pool.spec.clusterName] }, drops: ['metadata.annotations'] })
 * ```
 *
 * Throws when it could not work: a path that cannot be read, namespaces for a kind that has none.
 */
export function cached<T extends KubernetesObject, Index extends string = never>(
  kind: Resource<T>,
  options: CachedOptions<T, Index> = {},
): CachedKind<T, Index> {
  const { indexes, ...rest } = options
  if (rest.namespaces?.length === 0) {
    throw new TypeError(
      `cached(${kind.kind}): the list of namespaces is empty, so that nothing would be cached; leave it out for all of them`,
    )
  }
  if (rest.namespaces !== undefined && kind.scope === 'Cluster') {
    throw new TypeError(`cached(${kind.kind}): the kind is cluster-wide, it cannot be cached by namespace; leave namespaces out`)
  }
  rest.keeps?.forEach(parseFieldPath)
  projectionOf([rest])
  // Without options there are no indexes, and then Index is never: the empty record is all of it.
  return { kind, ...rest, indexes: indexes ?? ({} as Readonly<Record<Index, Extract<T>>>) }
}

export function isDeclaration<T extends KubernetesObject, Index extends string>(of: CacheHandle<T, Index>): of is CachedKind<T, Index> {
  return typeof of.kind !== 'string'
}

/** The kind a handle is about. */
export function kindOf<T extends KubernetesObject>(of: CacheHandle<T>): Resource<T> {
  return isDeclaration(of) ? of.kind : of
}

/** The same text for the same kind, however it was declared. */
export function kindKey({ group, version, plural }: Resource): string {
  return `${group}/${version}/${plural}`
}

/** Which objects, as one value: the namespaces sorted, each once. */
export interface Coverage {
  /** Undefined for all of them. */
  readonly namespaces: readonly string[] | undefined
  readonly selectors: Pick<Selection, 'labelSelector' | 'fieldSelector'>
}

export function coverageOf(of: CacheHandle<KubernetesObject>): Coverage {
  if (!isDeclaration(of)) return { namespaces: undefined, selectors: {} }
  const { namespaces, labelSelector = '', fieldSelector = '' } = of
  return {
    namespaces: namespaces === undefined ? undefined : [...new Set(namespaces)].sort(),
    selectors: { ...(labelSelector === '' ? {} : { labelSelector }), ...(fieldSelector === '' ? {} : { fieldSelector }) },
  }
}

/** The same text for handles of the same objects. */
export function handleKey(of: CacheHandle<KubernetesObject>): string {
  return JSON.stringify([kindKey(kindOf(of)), coverageOf(of)])
}

/** For people: `nodepools.hypershift.openshift.io (namespaces a, b; labels app=web)`. */
export function describeHandle(of: CacheHandle<KubernetesObject>): string {
  const { group, plural } = kindOf(of)
  const { namespaces, selectors } = coverageOf(of)
  const limits = [
    ...(namespaces === undefined ? [] : [`namespaces ${namespaces.join(', ')}`]),
    ...(selectors.labelSelector === undefined ? [] : [`labels ${selectors.labelSelector}`]),
    ...(selectors.fieldSelector === undefined ? [] : [`fields ${selectors.fieldSelector}`]),
  ]
  const name = group === '' ? plural : `${plural}.${group}`
  return limits.length === 0 ? name : `${name} (${limits.join('; ')})`
}
