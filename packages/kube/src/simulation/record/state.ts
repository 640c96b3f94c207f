import { type Change, type Entry, parseKey, resourcePrefix } from '@windlass/apiserver'
import type { KubernetesObject, Resource } from '@windlass/api'
import type { Extract } from '../../cache/cache.ts'
import type { Ref } from '../../client/client.ts'
import { StoredObject } from './stored-object.ts'

/** Which logical cluster is meant; `root` is the one that is always there. */
export interface InCluster {
  readonly cluster?: string
}

/** What the server has stored, read without a request. Objects are shared: look, and do not touch. */
export interface StateReader {
  get<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, where?: InCluster): T | undefined
  list<T extends KubernetesObject>(kind: Resource<T>, where?: InCluster & { readonly namespace?: string }): readonly T[]
  count(kind: Resource, where?: InCluster): number
  /**
   * Objects for which `extract` gives this value. The function itself is the name of the index: pass the same one every time. The first
   * question reads all objects of the kind, later ones only what was found.
   */
  byIndex<T extends KubernetesObject>(kind: Resource<T>, extract: Extract<T>, value: string, where?: InCluster): readonly T[]
}

/** Objects of one kind in one logical cluster. */
interface Shelf {
  size: number
  /** By namespace (`~` without one), then by key. */
  readonly namespaces: Map<string, Map<string, StoredObject>>
  readonly indexes: Map<Extract<KubernetesObject>, Index>
}

/** By value, then by key. */
type Index = Map<string, Map<string, StoredObject>>

/** A reader that follows the store change by change. */
export class StoredState implements StateReader {
  readonly #shelves = new Map<string, Shelf>()

  static of(entries: Iterable<Entry>): StoredState {
    const state = new StoredState()
    for (const entry of entries) put(state.#shelfOf(entry.key), new StoredObject(entry))
    return state
  }

  /** The same objects, so that what was read once need not be read again. */
  copy(): StoredState {
    const copy = new StoredState()
    for (const [prefix, { size, namespaces }] of this.#shelves) {
      const copies = Array.from(namespaces, ([name, objects]) => [name, new Map(objects)] as const)
      copy.#shelves.set(prefix, { size, namespaces: new Map(copies), indexes: new Map() })
    }
    return copy
  }

  /** Everything there is, ordered by key. */
  all(): readonly StoredObject[] {
    const found = [...this.#shelves.values()].flatMap((shelf) => [...objectsOf(shelf)])
    return found.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  /** Takes a change in; gives the object as it is and as it was. */
  apply(change: Change): { readonly now: StoredObject; readonly before: StoredObject | undefined } {
    const shelf = this.#shelfOf(change.key)
    const now = new StoredObject(change)
    const before = change.type === 'deleted' ? take(shelf, change.key) : put(shelf, now)
    for (const [extract, index] of shelf.indexes) {
      if (before !== undefined) unfile(index, extract, before)
      if (change.type !== 'deleted') file(index, extract, now)
    }
    return { now, before }
  }

  get<T extends KubernetesObject>(kind: Resource<T>, { namespace, name }: Ref, where?: InCluster): T | undefined {
    const prefix = prefixOf(kind, where)
    const space = namespace === undefined || namespace === '' ? noNamespace : namespace
    return asKind(kind, this.#shelves.get(prefix)?.namespaces.get(space)?.get(`${prefix}${space}/${name}`))
  }

  list<T extends KubernetesObject>(kind: Resource<T>, where: InCluster & { readonly namespace?: string } = {}): readonly T[] {
    const shelf = this.#shelves.get(prefixOf(kind, where))
    if (shelf === undefined) return []
    const found = where.namespace === undefined ? objectsOf(shelf) : (shelf.namespaces.get(where.namespace)?.values() ?? [])
    return Array.from(found, (stored) => asKind(kind, stored))
  }

  count(kind: Resource, where?: InCluster): number {
    return this.#shelves.get(prefixOf(kind, where))?.size ?? 0
  }

  byIndex<T extends KubernetesObject>(kind: Resource<T>, extract: Extract<T>, value: string, where?: InCluster): readonly T[] {
    const shelf = this.#shelves.get(prefixOf(kind, where))
    if (shelf === undefined) return []
    // Only objects of the kind are on its shelf, so the function gets what it takes.
    const name = extract as Extract<KubernetesObject>
    let index = shelf.indexes.get(name)
    if (index === undefined) {
      index = new Map()
      shelf.indexes.set(name, index)
      for (const stored of objectsOf(shelf)) file(index, name, stored)
    }
    return Array.from(index.get(value)?.values() ?? [], (stored) => asKind(kind, stored))
  }

  #shelfOf(key: string): Shelf {
    const { cluster, group, resource } = parseKey(key)
    const prefix = resourcePrefix(cluster, group, resource)
    const known = this.#shelves.get(prefix)
    if (known !== undefined) return known
    const shelf: Shelf = { size: 0, namespaces: new Map(), indexes: new Map() }
    this.#shelves.set(prefix, shelf)
    return shelf
  }
}

/** How keys write that an object has no namespace. */
const noNamespace = '~'

function prefixOf({ group, plural }: Resource, where: InCluster = {}): string {
  if (group === 'events.k8s.io') throw new Error('Events are stored in the form of the core group: read them with a client instead')
  return resourcePrefix(where.cluster ?? 'root', group, plural)
}

function* objectsOf({ namespaces }: Shelf): Iterable<StoredObject> {
  for (const objects of namespaces.values()) yield* objects.values()
}

/** Gives what was there before. */
function put(shelf: Shelf, stored: StoredObject): StoredObject | undefined {
  const namespace = parseKey(stored.key).namespace || noNamespace
  const objects = shelf.namespaces.get(namespace) ?? new Map<string, StoredObject>()
  shelf.namespaces.set(namespace, objects)
  const before = objects.get(stored.key)
  if (before === undefined) shelf.size++
  objects.set(stored.key, stored)
  return before
}

function take(shelf: Shelf, key: string): StoredObject | undefined {
  const objects = shelf.namespaces.get(parseKey(key).namespace || noNamespace)
  const before = objects?.get(key)
  if (objects?.delete(key) === true) shelf.size--
  return before
}

function file(index: Index, extract: Extract<KubernetesObject>, stored: StoredObject): void {
  for (const value of extract(stored.object)) {
    const found = index.get(value)
    if (found === undefined) index.set(value, new Map([[stored.key, stored]]))
    else found.set(stored.key, stored)
  }
}

function unfile(index: Index, extract: Extract<KubernetesObject>, stored: StoredObject): void {
  for (const value of extract(stored.object)) {
    const found = index.get(value)
    found?.delete(stored.key)
    if (found?.size === 0) index.delete(value)
  }
}

function asKind<T extends KubernetesObject>(kind: Resource<T>, stored: StoredObject): T
function asKind<T extends KubernetesObject>(kind: Resource<T>, stored: StoredObject | undefined): T | undefined
/** The server keeps objects of a kind below the prefix of that kind and checks what they look like, which is all a type could say. */
function asKind<T extends KubernetesObject>(_kind: Resource<T>, stored: StoredObject | undefined): T | undefined {
  return stored?.object as T | undefined
}
