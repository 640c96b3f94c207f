import type { KubernetesObject } from '@windlass/api'
import type { Extract } from './cache.ts'
import { ObjectIndex } from './object-index.ts'

/** The place of one object. It stays while the object changes, so that an index has nothing to do unless a value does. */
export interface Place<T> {
  object: T
}

/**
 * Objects in memory: by name within their namespace, and by what indexes make of them. A change is in all of them or in none.
 *
 * Objects of kinds without namespaces are in the namespace ''.
 */
export class ObjectStore<T extends KubernetesObject> {
  readonly #namespaces = new Map<string, Map<string, Place<T>>>()
  readonly #indexes = new Map<Extract<T>, ObjectIndex<T>>()
  readonly #onProblem: (error: unknown, object: T) => void
  #size = 0
  #all: readonly T[] | undefined

  /** `onProblem` is told of indexes that fail. */
  constructor(onProblem: (error: unknown, object: T) => void) {
    this.#onProblem = onProblem
  }

  /** Adds an index; those by the same function are one. Before the first object only. */
  addIndex(extract: Extract<T>): ObjectIndex<T> {
    const known = this.#indexes.get(extract)
    if (known !== undefined) return known
    const index = new ObjectIndex(extract, this.#onProblem)
    this.#indexes.set(extract, index)
    return index
  }

  index(extract: Extract<T>): ObjectIndex<T> | undefined {
    return this.#indexes.get(extract)
  }

  get size(): number {
    return this.#size
  }

  get(namespace: string, name: string): T | undefined {
    return this.#namespaces.get(namespace)?.get(name)?.object
  }

  /** Where the object is, in whatever state. */
  place({ metadata: { namespace = '', name = '' } }: T): Place<T> | undefined {
    return this.#namespaces.get(namespace)?.get(name)
  }

  /** The same list as before when nothing has changed since. */
  all(): readonly T[] {
    this.#all ??= Array.from(this.places(), ({ object }) => object)
    return this.#all
  }

  inNamespace(namespace: string): readonly T[] {
    return Array.from(this.places(namespace), ({ object }) => object)
  }

  /** Those of all namespaces unless one is given. */
  *places(namespace?: string): Iterable<Place<T>> {
    if (namespace !== undefined) yield* this.#namespaces.get(namespace)?.values() ?? []
    else for (const places of this.#namespaces.values()) yield* places.values()
  }

  /** `known` is where the object is, for those who have looked it up already. */
  put(object: T, known = this.place(object)): Place<T> {
    const place = known ?? this.#add(object)
    const old = known?.object
    place.object = object
    for (const index of this.#indexes.values()) index.update(place, old)
    this.#all = undefined
    return place
  }

  /** For a place that is in use. */
  remove(place: Place<T>): void {
    const { namespace = '', name = '' } = place.object.metadata
    const places = this.#namespaces.get(namespace)
    places?.delete(name)
    if (places?.size === 0) this.#namespaces.delete(namespace)
    this.#size--
    for (const index of this.#indexes.values()) index.remove(place)
    this.#all = undefined
  }

  #add(object: T): Place<T> {
    const { namespace = '', name = '' } = object.metadata
    const place = { object }
    const places = this.#namespaces.get(namespace)
    if (places === undefined) this.#namespaces.set(namespace, new Map([[name, place]]))
    else places.set(name, place)
    this.#size++
    return place
  }
}
