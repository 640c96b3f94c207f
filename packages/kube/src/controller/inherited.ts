import type { KubernetesObject } from '@windlass/api'
import type { CacheHandle, CacheReader } from '../cache/cache.ts'
import { kindOf } from '../cache/declaration.ts'
import type { Client, Ref } from '../client/client.ts'
import { keyOf, refOf } from '../objects/refs.ts'
import { StaleView } from '../plan/index.ts'

export interface InheritedOptions<T extends KubernetesObject> {
  readonly client: Client
  readonly cache: CacheReader
  readonly of: CacheHandle<T>
}

/**
 * The objects that another process may have looked after until this one began to lead. A watch may be late, by minutes when it is stuck, and
 * nothing tells: what the cache shows may be older than the other's last writes. Whoever then acts on it brings back what was deleted.
 *
 * So before the first write for each of them the server is asked whether the object is still the one that was seen. What came later came from a
 * server that works, and what needs no write costs nothing.
 */
export class Inherited<T extends KubernetesObject> {
  readonly #options: InheritedOptions<T>
  readonly #keys = new Set<string>()

  constructor(options: InheritedOptions<T>) {
    this.#options = options
  }

  /** From now on this process looks after them. */
  takeOver(): void {
    for (const object of this.#options.cache.list(this.#options.of)) this.#keys.add(keyOf(refOf(object)))
  }

  /** To be called when a pass begins; what it gives, before the first write. Undefined when there is nothing to fear. */
  check(key: string, ref: Ref): ((signal: AbortSignal) => Promise<void>) | undefined {
    if (this.#keys.size === 0 || !this.#keys.has(key)) return undefined
    const { client, cache, of } = this.#options
    const seen = cache.get(of, ref)?.metadata.resourceVersion
    return async (signal) => {
      if (!this.#keys.has(key)) return
      const current = await client.find(kindOf(of), ref, { signal })
      if (current?.metadata.resourceVersion !== seen) throw new StaleView(ref)
      this.#keys.delete(key)
    }
  }
}
