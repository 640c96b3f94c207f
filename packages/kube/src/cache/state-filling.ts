import type { KubernetesObject } from '@windlass/api'
import type { WatchEvent } from '../client/client.ts'
import { keyOf, refOf } from '../objects/refs.ts'
import { type Collection, versionOf } from './collection.ts'
import type { Place } from './object-store.ts'
import type { Part } from './part.ts'
import type { Filling } from './reflector.ts'
import { isOlder } from './resource-version.ts'

/**
 * A whole state of the server on its way into a part.
 *
 * The first one is taken in as it comes: nobody relies on the part before it is complete, and taking in a hundred thousand objects at once would
 * hold up everything else. Later ones take the place of what is there, at once and in one step: until then the part shows the old state.
 */
export class StateFilling<T extends KubernetesObject> implements Filling<T> {
  readonly #part: Part<T>
  readonly #collection: Collection<T>
  readonly #namespace: string | undefined
  readonly #isFirst: boolean
  /** What is new, until all of it has come. */
  readonly #coming = new Map<string, T>()
  /** What is there and stays. */
  readonly #present = new Set<Place<T>>()

  constructor(part: Part<T>, collection: Collection<T>, namespace: string | undefined) {
    this.#part = part
    this.#collection = collection
    this.#namespace = namespace
    this.#isFirst = !part.hasSynced
  }

  take(events: readonly WatchEvent<T>[]): void {
    for (const { type, object } of events) {
      if (type === 'BOOKMARK') continue
      if (type === 'DELETED') this.#takeEnd(object)
      else if (this.#isFirst) this.#note(this.#part.takeIn(object, { isInitial: true }))
      else this.#keepForLater(object)
    }
  }

  finish(version: string, isNewest: boolean): void {
    const isReset = isNewest && isOlder(version, this.#part.resourceVersion)
    this.#collection.audience.tellAfter(() => {
      for (const object of this.#coming.values()) this.#note(this.#part.put(object, { isInitial: this.#isFirst, isReset }))
      for (const place of this.#collection.store.places(this.#namespace)) {
        if (this.#present.has(place)) continue
        // What is newer than the state is a write of ours; the watch will tell what became of it.
        if (isReset || !isOlder(version, versionOf(place.object))) this.#collection.forget(place)
      }
      this.#part.filled(version, isReset)
    })
    // The stream that brought the state goes on for minutes and holds on to this.
    this.#coming.clear()
    this.#present.clear()
  }

  #takeEnd(object: T): void {
    const place = this.#collection.store.place(object)
    if (place !== undefined) this.#present.delete(place)
    if (this.#isFirst) this.#collection.delete(object)
    else this.#coming.delete(keyOf(refOf(object)))
  }

  /** Most of a new state is known already and needs no more than a look. */
  #keepForLater(object: T): void {
    const place = this.#collection.store.place(object)
    const admitted = this.#collection.admit(object, place)
    if (place?.object === admitted) this.#present.add(place)
    else this.#coming.set(keyOf(refOf(object)), admitted)
  }

  #note(place: Place<T> | undefined): void {
    if (place !== undefined) this.#present.add(place)
  }
}
