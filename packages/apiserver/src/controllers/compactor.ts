import type { Cancel, Clock, Instant } from '@windlass/core'
import type { Store } from '../storage/store.ts'

const period = 60_000

export interface History {
  readonly milliseconds: number
  readonly revisions: number
}

/** Forgets the past in time: a revision goes when it is both old enough and far enough behind. */
export class Compactor {
  readonly #store: Store
  readonly #clock: Clock
  readonly #history: History
  readonly #onError: (error: unknown) => void
  /** Which revision was the newest when, oldest first. */
  readonly #samples: { readonly at: Instant; readonly revision: number }[] = []
  #cancel: Cancel = () => {}
  #running: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(store: Store, clock: Clock, history: History, onError: (error: unknown) => void) {
    this.#store = store
    this.#clock = clock
    this.#history = history
    this.#onError = onError
  }

  start(): void {
    this.#sample()
  }

  stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    return this.#running
  }

  #sample(): void {
    const now = this.#clock.now()
    this.#samples.push({ at: now, revision: this.#store.revision() })
    let old = 0
    while (this.#samples[0] !== undefined && this.#samples[0].at <= now - this.#history.milliseconds)
      old = this.#samples.shift()?.revision ?? old
    const until = Math.min(old, this.#store.revision() - this.#history.revisions)
    if (until > this.#store.compacted()) this.#running = this.#store.compact(until).catch(this.#onError)
    if (!this.#isStopped) this.#cancel = this.#clock.after(period, () => this.#sample())
  }
}
