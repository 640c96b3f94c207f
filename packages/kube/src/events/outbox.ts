import { Event } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import type { Client } from '../client/client.ts'
import { isAlreadyExists, isNotFound, isTransient } from '../client/errors.ts'
import type { Log } from '../log.ts'
import type { Series } from './series.ts'

/** What a recorder needs of a client. */
export type EventClient = Pick<Client, 'create' | 'patch'>

export interface OutboxOptions {
  readonly client: EventClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** It is with the server now, or was given up. */
  readonly onSent: (series: Series, isDelivered: boolean) => void
}

/** Requests at once. */
const concurrency = 4
/** So many may wait; a server that is that far behind does not need more. */
export const outboxSize = 1000
const mostTries = 4
const firstDelay = 500

/** Sends events, a few at a time, each until it is there or cannot be. What happens while one waits goes along with it. */
export class Outbox {
  readonly #options: OutboxOptions
  /** In the order they came. */
  readonly #waiting = new Set<Series>()
  readonly #sending = new Set<Series>()
  #signal: AbortSignal | undefined
  #idle: (() => void)[] = []

  constructor(options: OutboxOptions) {
    this.#options = options
  }

  get isFull(): boolean {
    return this.#waiting.size >= outboxSize
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#sending.size === 0
  }

  /** Whether it waits or is on its way. */
  has(series: Series): boolean {
    return this.#waiting.has(series) || this.#sending.has(series)
  }

  add(series: Series): void {
    this.#waiting.add(series)
    this.#fill()
  }

  /** Begins to send; what is on its way when the signal is aborted is given up. */
  open(signal: AbortSignal): void {
    this.#signal = signal
    this.#fill()
  }

  /** Resolves when nothing waits and nothing is on its way. */
  idle(): Promise<void> {
    return this.isEmpty ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #fill(): void {
    const signal = this.#signal
    if (signal === undefined || signal.aborted) return
    for (const series of this.#waiting) {
      if (this.#sending.size >= concurrency) return
      this.#waiting.delete(series)
      this.#sending.add(series)
      void this.#send(series, signal)
    }
  }

  async #send(series: Series, signal: AbortSignal): Promise<void> {
    const isDelivered = await this.#deliver(series, signal)
    this.#sending.delete(series)
    this.#options.onSent(series, isDelivered)
    this.#fill()
    if (this.isEmpty) for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #deliver(series: Series, signal: AbortSignal): Promise<boolean> {
    const { clock, random, log } = this.#options
    for (let tries = 1; ; tries++) {
      try {
        await this.#request(series, signal)
        return true
      } catch (error) {
        if (signal.aborted) return false
        if (!isTransient(error) || tries >= mostTries) {
          const { metadata, reason, note } = series.event
          log.warn({ err: error, event: `${metadata.namespace}/${metadata.name}`, reason, note }, 'cannot record an event; it is dropped')
          return false
        }
        await clock.sleep(firstDelay * 2 ** (tries - 1) * (1 + random.next()), signal).catch(() => {})
      }
    }
  }

  async #request(series: Series, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#options
    const { count } = series
    if (series.isKnown) {
      const { namespace = '', name = '' } = series.event.metadata
      try {
        await client.patch(Event, { namespace, name }, series.patch(), { signal })
        series.told(count, clock.monotonic())
        return
      } catch (error) {
        if (!isNotFound(error)) throw error
        // It has expired, or somebody has tidied up: it is told anew.
        series.forgotten()
      }
    }
    try {
      await client.create(Event, series.whole(), { signal })
      series.told(count, clock.monotonic())
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      // No other event has this name: an earlier try got through and its answer did not. Who knows with what count.
      series.told(1, clock.monotonic())
    }
  }
}
