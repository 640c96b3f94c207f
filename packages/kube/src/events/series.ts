import type { Event, JsonObject } from '@windlass/api'
import type { Delayed, Instant } from '@windlass/core'
import type { Draft } from '../client/client.ts'
import { microTime } from '../micro-time.ts'

/** The server hears of repetitions this long after the first, then after twice as long each time, in milliseconds. */
const firstInterval = 5000
/** Shorter than a series lasts, and than events live: one that goes on does not look as if it were over. */
const longestInterval = 300_000

/** Something that happens again and again: one event, and how often. */
export class Series implements Delayed {
  readonly key: string
  readonly event: Draft<Event>
  /** When it happened last, on the wall clock and on the monotonic one. */
  lastTime: Instant
  lastSeen: number
  #count = 1
  /** What the server knows; 0 when it does not know of the event at all. */
  #told = 0
  #interval = firstInterval

  due = 0
  place = -1
  sequence = 0

  constructor(key: string, event: Draft<Event>, now: Instant, monotonic: number) {
    this.key = key
    this.event = event
    this.lastTime = now
    this.lastSeen = monotonic
  }

  get isKnown(): boolean {
    return this.#told > 0
  }

  get count(): number {
    return this.#count
  }

  /** It happened since the server was told last. */
  get hasNews(): boolean {
    return this.#count > this.#told
  }

  again(now: Instant, monotonic: number): void {
    this.#count++
    this.lastTime = now
    this.lastSeen = monotonic
  }

  /** The event as it is to be created. What happened while it waited to be sent is in it. */
  whole(): Draft<Event> {
    return this.#count === 1 ? this.event : { ...this.event, series: this.#series() }
  }

  patch(): JsonObject {
    return { series: { ...this.#series() } }
  }

  /** The server knows this many. The next time it hears of it is due later than the last time. */
  told(count: number, monotonic: number): void {
    this.#told = count
    this.due = monotonic + this.#interval
    this.#interval = Math.min(longestInterval, this.#interval * 2)
  }

  /** The server has forgotten the event. */
  forgotten(): void {
    this.#told = 0
  }

  #series(): NonNullable<Event['series']> {
    return { count: this.#count, lastObservedTime: microTime(this.lastTime) }
  }
}
