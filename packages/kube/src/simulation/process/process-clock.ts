import type { Cancel, Clock, Instant } from '@windlass/core'

/**
 * The clock of one process. Its wall clock may be wrong. When the process dies no timer of it fires any more: whatever waited for one
 * simply does not go on, which is what a crash looks like from the inside.
 */
export class ProcessClock implements Clock {
  readonly #clock: Clock
  #skew = 0
  #isDead = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): Instant {
    return this.#clock.now() + this.#skew
  }

  monotonic(): number {
    return this.#clock.monotonic()
  }

  after(milliseconds: number, fire: () => void): Cancel {
    return this.#clock.after(milliseconds, () => {
      if (!this.#isDead) fire()
    })
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(milliseconds, signal)
    } finally {
      // Whoever waits in a dead process waits for ever.
      if (this.#isDead) await new Promise(() => {})
    }
  }

  /** The wall clock is wrong by this much from now on. What measures with `monotonic` does not notice. */
  jump(milliseconds: number): void {
    this.#skew = milliseconds
  }

  kill(): void {
    this.#isDead = true
  }
}
