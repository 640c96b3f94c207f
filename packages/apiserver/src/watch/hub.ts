import type { Cancel, Clock, Instant } from '@windlass/core'
import type { Change, Store } from '../storage/store.ts'
import { WatchEvent } from './event.ts'
import type { Watcher } from './watcher.ts'

/**
 * Hands every committed change to the watchers of its resource, in order. One timer serves all of them: it is set to whatever is
 * due next.
 */
export class WatchHub {
  readonly #store: Store
  readonly #clock: Clock
  readonly #watchers = new Map<string, Set<Watcher>>()
  readonly #unsubscribe: () => void
  #timer: { readonly at: Instant; readonly cancel: Cancel } | undefined
  #delivered = 0

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#unsubscribe = store.subscribe((changes) => this.#publish(changes))
  }

  /** Events delivered since the start, for metrics. */
  get delivered(): number {
    return this.#delivered
  }

  get size(): number {
    let size = 0
    for (const watchers of this.#watchers.values()) size += watchers.size
    return size
  }

  /** `resource` is the prefix of the keys of one resource in one cluster. Returns how to leave. */
  join(resource: string, watcher: Watcher): () => void {
    const watchers = this.#watchers.get(resource) ?? new Set()
    this.#watchers.set(resource, watchers)
    watchers.add(watcher)
    this.#arm(watcher.dueAt)
    return () => this.#leave(resource, watcher)
  }

  /** Ends all watches of a resource, as when its CustomResourceDefinition goes. */
  endResource(resource: string): void {
    for (const watcher of this.#watchers.get(resource) ?? []) watcher.end()
    this.#watchers.delete(resource)
  }

  /** Ends everything below a prefix, as when a logical cluster goes. */
  endPrefix(prefix: string): void {
    for (const resource of this.#watchers.keys()) if (resource.startsWith(prefix)) this.endResource(resource)
  }

  close(): void {
    this.#unsubscribe()
    this.#timer?.cancel()
    this.endPrefix('')
  }

  #leave(resource: string, watcher: Watcher): void {
    const watchers = this.#watchers.get(resource)
    watchers?.delete(watcher)
    if (watchers?.size === 0) this.#watchers.delete(resource)
  }

  #publish(changes: readonly Change[]): void {
    if (this.#watchers.size === 0) return
    const touched = new Set<Watcher>()
    for (const change of changes) {
      const watchers = this.#watchers.get(resourceOf(change.key))
      if (watchers === undefined) continue
      const event = new WatchEvent(change)
      for (const watcher of watchers) {
        if (!watcher.offer(event)) continue
        this.#delivered++
        touched.add(watcher)
      }
    }
    for (const watcher of touched) watcher.flush()
  }

  #arm(at: Instant): void {
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.cancel()
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => this.#tick())
    this.#timer = { at, cancel }
  }

  #tick(): void {
    this.#timer = undefined
    const now = this.#clock.now()
    const revision = this.#store.revision()
    let next = Number.POSITIVE_INFINITY
    for (const [resource, watchers] of this.#watchers) {
      for (const watcher of watchers) {
        if (watcher.dueAt <= now) watcher.tick(now, revision)
        if (watcher.isEnded) this.#leave(resource, watcher)
        else next = Math.min(next, watcher.dueAt)
      }
    }
    if (Number.isFinite(next)) this.#arm(next)
  }
}

/** `<cluster>/<group>/<resource>/` of a key. */
function resourceOf(key: string): string {
  const group = key.indexOf('/') + 1
  const resource = key.indexOf('/', group) + 1
  return key.slice(0, key.indexOf('/', resource) + 1)
}
