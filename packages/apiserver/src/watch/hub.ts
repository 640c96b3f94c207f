import { type Clock, type Delayed, Delays } from '@windlass/core'
import type { Change, Store } from '../storage/store.ts'
import { WatchEvent } from './event.ts'
import type { Watcher } from './watcher.ts'

/** A watcher among those of its resource, and when it has something to do by itself. */
interface Seat extends Delayed {
  readonly resource: string
  readonly watcher: Watcher
}

/** Hands every committed change to the watchers of its resource, in order. One timer serves all of them, and only those are looked at that are due. */
export class WatchHub {
  readonly #store: Store
  readonly #clock: Clock
  readonly #seats = new Map<string, Set<Seat>>()
  readonly #agenda: Delays<Seat>
  readonly #unsubscribe: () => void
  #delivered = 0

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
    this.#agenda = new Delays(clock, (seat) => this.#attend(seat))
    this.#unsubscribe = store.subscribe((changes) => this.#publish(changes))
  }

  /** Events delivered since the start, for metrics. */
  get delivered(): number {
    return this.#delivered
  }

  get size(): number {
    let size = 0
    for (const seats of this.#seats.values()) size += seats.size
    return size
  }

  /** `resource` is the prefix of the keys of one resource in one cluster. Returns how to leave. */
  join(resource: string, watcher: Watcher): () => void {
    const seats = this.#seats.get(resource) ?? new Set()
    this.#seats.set(resource, seats)
    const seat: Seat = { resource, watcher, due: 0, place: -1, sequence: 0 }
    seats.add(seat)
    this.#plan(seat)
    return () => this.#leave(seat)
  }

  /** Ends all watches of a resource, as when its CustomResourceDefinition goes. */
  endResource(resource: string): void {
    for (const seat of this.#seats.get(resource) ?? []) {
      this.#agenda.remove(seat)
      seat.watcher.end()
    }
    this.#seats.delete(resource)
  }

  /** Ends everything below a prefix, as when a logical cluster goes. */
  endPrefix(prefix: string): void {
    for (const resource of this.#seats.keys()) if (resource.startsWith(prefix)) this.endResource(resource)
  }

  close(): void {
    this.#unsubscribe()
    this.endPrefix('')
    this.#agenda.close()
  }

  #leave(seat: Seat): void {
    this.#agenda.remove(seat)
    const seats = this.#seats.get(seat.resource)
    seats?.delete(seat)
    if (seats?.size === 0) this.#seats.delete(seat.resource)
  }

  #publish(changes: readonly Change[]): void {
    if (this.#seats.size === 0) return
    const touched = new Set<Watcher>()
    for (const change of changes) {
      const seats = this.#seats.get(resourceOf(change.key))
      if (seats === undefined) continue
      const event = new WatchEvent(change)
      for (const { watcher } of seats) {
        if (!watcher.offer(event)) continue
        this.#delivered++
        touched.add(watcher)
      }
    }
    for (const watcher of touched) watcher.flush()
  }

  #plan(seat: Seat): void {
    seat.due = this.#clock.monotonic() + Math.max(0, seat.watcher.dueAt - this.#clock.now())
    this.#agenda.add(seat)
  }

  #attend(seat: Seat): void {
    const { watcher } = seat
    // The wall clock may have been set back since this was planned: its time has come all the same.
    watcher.tick(Math.max(this.#clock.now(), watcher.dueAt), this.#store.revision())
    if (watcher.isEnded) this.#leave(seat)
    else this.#plan(seat)
  }
}

/** `<cluster>/<group>/<resource>/` of a key. */
function resourceOf(key: string): string {
  const group = key.indexOf('/') + 1
  const resource = key.indexOf('/', group) + 1
  return key.slice(0, key.indexOf('/', resource) + 1)
}
