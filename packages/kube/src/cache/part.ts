import type { KubernetesObject } from '@windlass/api'
import type { Ref, WatchEvent } from '../client/client.ts'
import { keyOf, refOf } from '../objects/refs.ts'
import { type Arrival, type Collection, versionOf } from './collection.ts'
import type { Place } from './object-store.ts'
import type { Filling, ReflectorSink } from './reflector.ts'
import { isOlder } from './resource-version.ts'
import { StateFilling } from './state-filling.ts'

const asNews: Arrival = { isInitial: false }

export interface PartOptions<T extends KubernetesObject> {
  readonly collection: Collection<T>
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined
  /** There are selectors: nobody but the server knows whether an object belongs here. */
  readonly isSelective: boolean
  /** Called when the part shows something new. */
  readonly onStep: () => void
}

/**
 * The part of a collection that one reflector keeps up to date: all of it, or one namespace.
 *
 * It knows which state of the server it shows. That makes it safe to take in our own writes before the watch brings them: one that the watch
 * has passed already is not taken in, for the object may have been deleted since, and nobody would say so again.
 */
export class Part<T extends KubernetesObject> implements ReflectorSink<T> {
  readonly #options: PartOptions<T>
  /** Of objects that we wrote and could not take in: older states of them are not worth showing. */
  readonly #floors = new Map<string, string>()
  #version = ''
  #hasSynced = false

  constructor(options: PartOptions<T>) {
    this.#options = options
  }

  /** The state that it shows: every change up to here, and our own writes behind it. Empty before there is one. */
  get resourceVersion(): string {
    return this.#version
  }

  get hasSynced(): boolean {
    return this.#hasSynced
  }

  begin(): Filling<T> {
    const { collection, namespace } = this.#options
    return new StateFilling(this, collection, namespace)
  }

  take(events: readonly WatchEvent<T>[]): void {
    const { collection, onStep } = this.#options
    for (const { type, object } of events) {
      if (type === 'DELETED') collection.delete(object)
      else if (type !== 'BOOKMARK') this.takeIn(object, asNews)
      this.#advance(versionOf(object))
    }
    onStep()
  }

  /** Takes in an object as it comes; undefined when it is not there and should not be yet. */
  takeIn(object: T, how: Arrival): Place<T> | undefined {
    const { collection } = this.#options
    return this.#isTooOld(object) ? collection.store.place(object) : collection.take(object, how)
  }

  /** The same for one that was admitted before. */
  put(object: T, how: Arrival): Place<T> | undefined {
    const { collection } = this.#options
    return this.#isTooOld(object) ? collection.store.place(object) : collection.put(object, how)
  }

  /** All of a state was taken in. */
  filled(version: string, isReset: boolean): void {
    if (isReset) {
      this.#floors.clear()
      this.#version = version
    }
    this.#hasSynced = true
    this.#advance(version)
    this.#options.onStep()
  }

  wrote(object: T): void {
    const { isSelective, onStep } = this.#options
    const version = versionOf(object)
    if (this.#hasPassed(version)) return
    if (isSelective) this.#raiseFloor(keyOf(refOf(object)), version)
    else this.takeIn(object, asNews)
    onStep()
  }

  /** Whether it shows the object in this state or, if it has changed since, in a newer one. */
  shows(ref: Ref, version: string): boolean {
    const object = this.#find(ref)
    return this.#hasPassed(version) || (object !== undefined && !isOlder(versionOf(object), version))
  }

  /** Whether the object has gone. One that was never seen counts as gone: the answer to a deletion does not say when it was. */
  showsEnd(ref: Ref, uid: string): boolean {
    return this.#hasSynced && this.#find(ref)?.metadata.uid !== uid
  }

  #find({ namespace = '', name }: Ref): T | undefined {
    return this.#options.collection.store.get(namespace, name)
  }

  #hasPassed(version: string): boolean {
    return this.#version !== '' && !isOlder(this.#version, version)
  }

  #isTooOld(object: T): boolean {
    const floor = this.#floors.size === 0 ? undefined : this.#floors.get(keyOf(refOf(object)))
    return floor !== undefined && isOlder(versionOf(object), floor)
  }

  #raiseFloor(key: string, version: string): void {
    const floor = this.#floors.get(key)
    if (floor === undefined || isOlder(floor, version)) this.#floors.set(key, version)
  }

  #advance(version: string): void {
    if (version === '' || isOlder(version, this.#version)) return
    this.#version = version
    for (const [key, floor] of this.#floors) if (!isOlder(version, floor)) this.#floors.delete(key)
  }
}
