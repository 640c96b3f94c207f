import type { Instant } from '@windlass/core'
import type { Served } from '../registry/catalog.ts'
import { selects, type Selection } from '../registry/selection.ts'
import type { EventEncoder } from './encoder.ts'
import type { WatchEvent } from './event.ts'
import type { WatchSink } from './sink.ts'

/** A client that does not read is let go rather than buffered for: it comes back from the last revision it saw. */
const mostUnsentBytes = 8 * 1024 * 1024
const mostUnsentEvents = 10_000

const bookmarkPeriod = 60_000
const bookmarkBeforeEnd = 2_000

export interface WatcherOptions {
  readonly served: Served
  readonly selection: Selection
  /** Keys it is about begin like this. */
  readonly prefix: string
  readonly encoder: EventEncoder
  readonly sink: WatchSink
  readonly allowsBookmarks: boolean
  readonly endsAt: Instant
}

/** One open watch that has caught up with the present. */
export class Watcher {
  readonly #options: WatcherOptions
  readonly #pending: Buffer[] = []
  #told: number
  #bookmarkAt: Instant
  #isNearEnd = false
  #unsentEvents = 0
  #isEnded = false

  constructor(options: WatcherOptions, revision: number, now: Instant) {
    this.#options = options
    this.#told = revision
    this.#bookmarkAt = now + bookmarkPeriod
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Queues what the event means to this watcher, if anything; `flush` sends it. True when there is something to send. */
  offer(event: WatchEvent): boolean {
    if (this.#isEnded || event.revision <= this.#told) return false
    const line = this.encode(event)
    if (line === undefined) return false
    this.#told = event.revision
    this.#pending.push(line)
    return true
  }

  encode(event: WatchEvent): Buffer | undefined {
    const { served, selection, prefix, encoder } = this.#options
    const { change } = event
    if (!change.key.startsWith(prefix)) return undefined
    if (!selection.needsObject) {
      return encoder.change(change.type === 'created' ? 'ADDED' : change.type === 'modified' ? 'MODIFIED' : 'DELETED', event, false)
    }
    if (selection.name !== undefined && !change.key.endsWith(`/${selection.name}`)) return undefined
    const previous = event.previous(served)
    const wasIn = previous !== undefined && selects(selection, previous)
    const isIn = change.type !== 'deleted' && selects(selection, event.object(served))
    if (isIn) return encoder.change(wasIn ? 'MODIFIED' : 'ADDED', event, false)
    return wasIn ? encoder.change('DELETED', event, change.type !== 'deleted') : undefined
  }

  flush(): void {
    if (this.#isEnded || this.#pending.length === 0) return
    const { sink } = this.#options
    this.#unsentEvents = sink.buffered() === 0 ? this.#pending.length : this.#unsentEvents + this.#pending.length
    const [first] = this.#pending
    sink.write(this.#pending.length === 1 && first !== undefined ? first : Buffer.concat(this.#pending))
    this.#pending.length = 0
    if (sink.buffered() > mostUnsentBytes || (this.#unsentEvents > mostUnsentEvents && sink.buffered() > 0)) this.end()
  }

  /** When it next has something to do by itself. */
  get dueAt(): Instant {
    const { endsAt, allowsBookmarks } = this.#options
    if (!allowsBookmarks) return endsAt
    return this.#isNearEnd ? endsAt : Math.min(this.#bookmarkAt, endsAt - bookmarkBeforeEnd)
  }

  /** Tells an idle client how far the world has moved, and ends the watch when its time is over. */
  tick(now: Instant, revision: number): void {
    const { endsAt, allowsBookmarks, encoder, sink } = this.#options
    if (now >= endsAt) {
      this.end()
      return
    }
    if (!allowsBookmarks) return
    this.#bookmarkAt = now + bookmarkPeriod
    if (now >= endsAt - bookmarkBeforeEnd) this.#isNearEnd = true
    if (revision <= this.#told) return
    this.#told = revision
    sink.write(encoder.bookmark(revision, false))
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.sink.end()
  }
}
