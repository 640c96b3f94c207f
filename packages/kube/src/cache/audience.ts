import type { KubernetesObject } from '@windlass/api'
import { keyOf, refOf } from '../objects/refs.ts'
import type { Log } from '../log.ts'
import type { CacheChange, CacheHandler } from './cache.ts'

/** Those who hear of changes. All of them hear of one change before anybody hears of the next. */
export class Audience<T extends KubernetesObject> {
  readonly #handlers: CacheHandler<T>[] = []
  readonly #log: Log
  readonly #untold: CacheChange<T>[] = []
  #isBusy = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Hears of the present objects first. */
  add(handler: CacheHandler<T>, present: Iterable<T>): void {
    for (const object of present) this.#call(handler, { type: 'added', object, isInitial: true })
    this.#handlers.push(handler)
  }

  tell(change: CacheChange<T>): void {
    this.#untold.push(change)
    if (!this.#isBusy) this.#tellAll()
  }

  /** Tells of nothing before all of the work is done, so that nobody looks into a cache that is half changed. */
  tellAfter(work: () => void): void {
    if (this.#isBusy) {
      work()
      return
    }
    this.#isBusy = true
    try {
      work()
    } finally {
      this.#tellAll()
    }
  }

  #tellAll(): void {
    this.#isBusy = true
    // Handlers may bring about changes, which join the end.
    for (let index = 0; index < this.#untold.length; index++) {
      const change = this.#untold[index]
      if (change !== undefined) for (const handler of this.#handlers) this.#call(handler, change)
    }
    this.#untold.length = 0
    this.#isBusy = false
  }

  /** A handler that throws must neither keep others from hearing nor stop the cache. */
  #call(handler: CacheHandler<T>, change: CacheChange<T>): void {
    try {
      handler(change)
    } catch (error) {
      this.#log.error(
        { err: error, change: change.type, object: keyOf(refOf(change.object)) },
        'a handler failed: it has missed this change',
      )
    }
  }
}
