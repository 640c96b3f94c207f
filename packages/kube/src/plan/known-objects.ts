import type { KubernetesObject, Resource } from '@windlass/api'
import type { CachedKind, CacheHandle, CacheReader } from '../cache/cache.ts'
import { isDeclaration, kindKey, kindOf } from '../cache/declaration.ts'
import { type FieldPath, isWithin, parseFieldPath } from '../cache/field-path.ts'
import type { Ref } from '../client/client.ts'
import { isRecord } from '../objects/equal.ts'
import { keyOf } from '../objects/refs.ts'

/** What is known of an object without asking the server. */
export type Known =
  /** `holds(fields)`: whether the cache keeps all these fields, so that one which is missing is missing on the server too. */
  | { readonly is: 'cached'; readonly object: KubernetesObject; readonly holds: (fields: object) => boolean }
  | { readonly is: 'absent' }
  /** No cache of ours covers it. */
  | { readonly is: 'unknown' }
  /** A write of ours got no answer: what the cache says may be older than that. */
  | { readonly is: 'doubtful' }

/** Looks objects up in the caches that a controller declared, and knows what those leave out. */
export class KnownObjects {
  readonly #cache: CacheReader
  readonly #views: ReadonlyMap<string, readonly View[]>
  readonly #doubtful = new Set<string>()

  constructor(cache: CacheReader, handles: readonly CacheHandle<KubernetesObject>[]) {
    this.#cache = cache
    this.#views = Map.groupBy(handles.map(viewOf), ({ handle }) => kindKey(kindOf(handle)))
  }

  /** Nobody knows whether a write to it has happened. The cache is not believed until the server has answered about it again. */
  doubt(kind: Resource, ref: Ref): void {
    this.#doubtful.add(keyFor(kind, ref))
  }

  trust(kind: Resource, ref: Ref): void {
    if (this.#doubtful.size > 0) this.#doubtful.delete(keyFor(kind, ref))
  }

  find(kind: Resource, ref: Ref): Known {
    if (this.#doubtful.size > 0 && this.#doubtful.has(keyFor(kind, ref))) return { is: 'doubtful' }
    let isCovered = false
    for (const view of this.#views.get(kindKey(kind)) ?? []) {
      const object = this.#cache.get(view.handle, ref)
      if (object !== undefined) return { is: 'cached', object, holds: (fields) => holds(view, fields, []) }
      isCovered ||= view.covers(ref)
    }
    return { is: isCovered ? 'absent' : 'unknown' }
  }
}

function keyFor(kind: Resource, ref: Ref): string {
  return `${kindKey(kind)} ${keyOf(ref)}`
}

/** What can be seen through a handle. */
interface View {
  readonly handle: CacheHandle<KubernetesObject>
  /** Whether the object would be in the cache if it existed. */
  readonly covers: (ref: Ref) => boolean
  /** Undefined when everything is kept. */
  readonly keeps: readonly FieldPath[] | undefined
  readonly drops: readonly FieldPath[]
}

function viewOf(handle: CacheHandle<KubernetesObject>): View {
  if (!isDeclaration(handle)) return { handle, covers: () => true, keeps: undefined, drops: [] }
  const { keeps, drops = [] } = handle
  return {
    handle,
    covers: (ref) => covers(handle, ref),
    keeps: keeps === undefined ? undefined : ['apiVersion', 'kind', 'metadata', ...keeps].map(parseFieldPath),
    drops: drops.map(parseFieldPath),
  }
}

function covers({ namespaces, labelSelector, fieldSelector }: CachedKind<KubernetesObject, string>, { namespace }: Ref): boolean {
  if (labelSelector !== undefined || fieldSelector !== undefined) return false
  return namespaces === undefined || (namespace !== undefined && namespaces.includes(namespace))
}

function holds(view: View, fields: unknown, path: FieldPath): boolean {
  if (view.drops.some((drop) => isWithin(path, drop))) return false
  const names = isRecord(fields) ? Object.keys(fields) : []
  if (isRecord(fields) && names.length > 0) return names.every((name) => holds(view, fields[name], [...path, name]))
  const isKept = view.keeps === undefined || view.keeps.some((kept) => isWithin(path, kept))
  return isKept && !view.drops.some((drop) => isWithin(drop, path))
}
