import type { Clock, Instant } from '@windlass/core'

/** A value that is read when it is needed, and kept for a time: until then, or until somebody finds that it does not work any more. */
export class Kept<T> {
  readonly #clock: Clock
  readonly #read: (signal: AbortSignal) => Promise<{ readonly value: T; readonly until: Instant }>
  #current: { readonly value: T; readonly until: Instant } | undefined

  constructor(clock: Clock, read: (signal: AbortSignal) => Promise<{ readonly value: T; readonly until: Instant }>) {
    this.#clock = clock
    this.#read = read
  }

  /** Errors: what reading it throws. */
  async get(signal: AbortSignal): Promise<T> {
    const current = this.#current
    if (current !== undefined && this.#clock.now() < current.until) return current.value
    this.#current = await this.#read(signal)
    return this.#current.value
  }

  forget(): void {
    this.#current = undefined
  }
}
