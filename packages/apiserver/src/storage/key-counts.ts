import type { ByteString } from './byte-string.ts'
import { levels } from './key-space.ts'

/**
 * How many objects there are of each resource, and of each resource in each namespace. A list says how many items remain
 * behind a page: counting them by reading them would make paging quadratic.
 */
export class KeyCounts {
  readonly #counts = new Map<ByteString, number>()

  /** Counts keys that come in order: neighbours share a namespace, so most cost one comparison. */
  static of(chunks: Iterable<readonly ByteString[]>): KeyCounts {
    const counts = new KeyCounts()
    let first: ByteString | undefined
    let namespace: ByteString | undefined
    let size = 0
    for (const keys of chunks) {
      for (const key of keys) {
        if (namespace === undefined || !key.startsWith(namespace)) {
          if (first !== undefined) counts.change(first, size)
          first = key
          namespace = levels(key, 4)
          size = 0
        }
        size++
      }
    }
    if (first !== undefined) counts.change(first, size)
    return counts
  }

  change(key: ByteString, by: number): void {
    this.#bump(levels(key, 3), by)
    this.#bump(levels(key, 4), by)
  }

  /** Undefined when `prefix` is no resource and no namespace of one: then only reading tells. */
  count(prefix: ByteString): number | undefined {
    const isKept = levels(prefix, 3) === prefix || levels(prefix, 4) === prefix
    return isKept ? (this.#counts.get(prefix) ?? 0) : undefined
  }

  #bump(prefix: ByteString | undefined, by: number): void {
    if (prefix === undefined) return
    const count = (this.#counts.get(prefix) ?? 0) + by
    if (count === 0) this.#counts.delete(prefix)
    else this.#counts.set(prefix, count)
  }
}
