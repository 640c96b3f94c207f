import type { JsonObject } from '../json.ts'
import type { Served } from '../registry/catalog.ts'
import { parseStored, translate, isVerbatim, withRevision } from '../registry/stored.ts'
import type { Change } from '../storage/store.ts'

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** One committed change on its way to watchers. What several of them need is worked out once. */
export class WatchEvent {
  readonly change: Change
  readonly #objects = new Map<string, JsonObject>()
  readonly #encoded = new Map<string, Buffer>()

  constructor(change: Change) {
    this.change = change
  }

  get revision(): number {
    return this.change.revision
  }

  /** The state after the change, or the last state of a deleted object. */
  object(served: Served): JsonObject {
    return this.#once(`now ${served.apiVersion}`, () => this.#read(served, this.change.bytes, this.change.revision))
  }

  /** The state before the change. */
  previous(served: Served): JsonObject | undefined {
    const { previous } = this.change
    if (previous === undefined) return undefined
    return this.#once(`before ${served.apiVersion}`, () => this.#read(served, previous.bytes, previous.revision))
  }

  /** The state before the change, under the revision of the change: what a watcher sees of an object that leaves its selection. */
  departed(served: Served): JsonObject {
    const previous = this.previous(served)
    return previous === undefined ? this.object(served) : withRevision(previous, this.change.revision)
  }

  /** The same bytes for everyone who wants the same encoding. */
  encoded(sharing: string, encode: () => Buffer): Buffer {
    const known = this.#encoded.get(sharing)
    if (known !== undefined) return known
    const bytes = encode()
    this.#encoded.set(sharing, bytes)
    return bytes
  }

  #read(served: Served, bytes: Buffer, revision: number): JsonObject {
    const stored = parseStored(bytes)
    return isVerbatim(served, { revision }) ? stored : translate(served, stored)
  }

  #once(key: string, make: () => JsonObject): JsonObject {
    const known = this.#objects.get(key)
    if (known !== undefined) return known
    const object = make()
    this.#objects.set(key, object)
    return object
  }
}
