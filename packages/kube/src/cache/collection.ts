import type { KubernetesObject } from '@windlass/api'
import { keyOf, refOf } from '../objects/refs.ts'
import type { Log } from '../log.ts'
import type { Admission } from './admission.ts'
import { Audience } from './audience.ts'
import { ObjectStore, type Place } from './object-store.ts'
import { isOlder } from './resource-version.ts'

/** How an object comes in: with the first state; with one of a server that has begun anew, so that what is known says nothing. */
export interface Arrival {
  readonly isInitial: boolean
  readonly isReset?: boolean
}

/**
 * The objects of one cache and who hears of their changes.
 *
 * News come from several sides (lists, watches, our own writes) and some of it is old by the time it comes. The resourceVersion decides:
 * of each object only what is newer than what is known is let in.
 */
export class Collection<T extends KubernetesObject> {
  readonly store: ObjectStore<T>
  readonly audience: Audience<T>
  readonly #admit: Admission<T>

  constructor(admit: Admission<T>, log: Log) {
    this.#admit = admit
    this.audience = new Audience(log)
    this.store = new ObjectStore((error, object) =>
      log.error({ err: error, object: keyOf(refOf(object)) }, 'the function of an index failed: the object cannot be found by it'),
    )
  }

  /** What the object is kept as; the object that is kept already when this is the same state of it. */
  admit(object: T, known = this.store.place(object)): T {
    const old = known?.object
    return old !== undefined && isSameState(old, object) ? old : this.#admit(object, old)
  }

  /** Takes in a state of an object as it comes, unless it is known or older. */
  take(object: T, how: Arrival): Place<T> {
    const known = this.store.place(object)
    return this.put(this.admit(object, known), how, known)
  }

  /** The same for one that was admitted before. */
  put(object: T, { isInitial, isReset = false }: Arrival, known = this.store.place(object)): Place<T> {
    if (known === undefined) return this.#add(object, isInitial)
    const old = known.object
    if (isSameState(old, object) || (!isReset && isOlder(versionOf(object), versionOf(old)))) return known
    if (object.metadata.uid !== old.metadata.uid) {
      // Another object by the same name: nobody has told of the end of the first.
      this.#drop(known, old, true)
      return this.#add(object, isInitial)
    }
    this.store.put(object, known)
    this.audience.tell({ type: 'updated', object, old })
    return known
  }

  /** Takes in the end of an object; its last state comes with the revision of the deletion. */
  delete(object: T): void {
    const place = this.store.place(object)
    if (place === undefined || isOlder(versionOf(object), versionOf(place.object))) return
    this.#drop(place, this.#admit(object, place.object), false)
  }

  /** A list has the object no more. */
  forget(place: Place<T>): void {
    this.#drop(place, place.object, true)
  }

  #add(object: T, isInitial: boolean): Place<T> {
    const place = this.store.put(object)
    this.audience.tell({ type: 'added', object, isInitial })
    return place
  }

  #drop(place: Place<T>, last: T, isStale: boolean): void {
    this.store.remove(place)
    this.audience.tell({ type: 'deleted', object: last, isStale })
  }
}

export function versionOf({ metadata }: KubernetesObject): string {
  return metadata.resourceVersion ?? ''
}

function isSameState(a: KubernetesObject, b: KubernetesObject): boolean {
  return a === b || (versionOf(a) === versionOf(b) && a.metadata.uid === b.metadata.uid)
}
