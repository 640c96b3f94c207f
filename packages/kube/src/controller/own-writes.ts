import type { Clock, Delays } from '@windlass/core'
import type { SharedCache, WriteMark } from '../cache/cache.ts'
import type { Log } from '../log.ts'
import type { ControllerMetrics } from '../metrics/metrics.ts'
import type { Deadline } from './deadline.ts'

/** After so long a pass goes on with what the cache has: a late cache must not stop everything. */
const longestWait = 10_000

export interface OwnWritesOptions {
  readonly cache: SharedCache
  readonly clock: Clock
  readonly deadlines: Delays<Deadline>
  readonly log: Log
  readonly metrics: () => ControllerMetrics | undefined
}

/**
 * What the last pass over each key has written, until the caches show it. A pass that does not see its own writes does them again: it creates
 * a second machine, or takes back what it just decided.
 */
export class OwnWrites {
  readonly #options: OwnWritesOptions
  readonly #marks = new Map<string, readonly WriteMark[]>()
  readonly #waits = new Set<Wait>()

  constructor(options: OwnWritesOptions) {
    this.#options = options
  }

  remember(key: string, marks: readonly WriteMark[]): void {
    if (marks.length > 0 && !this.#options.cache.shows(marks)) this.#marks.set(key, marks)
    else this.#marks.delete(key)
  }

  /** Undefined when the caches show everything. Otherwise resolves when they do, when they took too long, or when all is stopped; never rejects. */
  shown(key: string): Promise<void> | undefined {
    const marks = this.#marks.get(key)
    if (marks === undefined) return undefined
    if (!this.#options.cache.shows(marks)) return this.#wait(key, marks)
    this.#marks.delete(key)
    return undefined
  }

  stop(): void {
    for (const wait of this.#waits) wait.stop()
  }

  async #wait(key: string, marks: readonly WriteMark[]): Promise<void> {
    const { cache, clock, deadlines, log, metrics } = this.#options
    const since = clock.monotonic()
    const wait = new Wait(since + longestWait)
    deadlines.add(wait)
    this.#waits.add(wait)
    try {
      await cache.shown(marks, wait.signal)
    } catch (error) {
      if (wait.isOver) log.warn({ key }, 'the cache does not show what the last pass has written: going on with what it has')
      else if (!wait.signal.aborted) log.error({ err: error, key }, 'the cache could not say whether it shows what was written')
    }
    deadlines.remove(wait)
    this.#waits.delete(wait)
    this.#marks.delete(key)
    metrics()?.waitedForCache((clock.monotonic() - since) / 1_000)
  }
}

class Wait implements Deadline {
  readonly #controller = new AbortController()
  #isOver = false
  due: number
  place = -1
  sequence = 0

  constructor(due: number) {
    this.due = due
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** It was given up because it took too long. */
  get isOver(): boolean {
    return this.#isOver
  }

  expire(): void {
    this.#isOver = true
    this.#controller.abort()
  }

  stop(): void {
    this.#controller.abort()
  }
}
