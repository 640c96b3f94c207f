import type { Cancel, Clock } from '@windlass/core'

/**
 * Barks when nothing was heard for so long. Being heard costs next to nothing: the timer is not set anew each time, it looks when it
 * fires how long there was silence.
 */
export class Watchdog {
  readonly #clock: Clock
  readonly #patience: number
  readonly #bark: () => void
  #heardAt: number
  #cancel: Cancel

  constructor(clock: Clock, patience: number, bark: () => void) {
    this.#clock = clock
    this.#patience = patience
    this.#bark = bark
    this.#heardAt = clock.monotonic()
    this.#cancel = clock.after(patience, () => this.#look())
  }

  heard(): void {
    this.#heardAt = this.#clock.monotonic()
  }

  stop(): void {
    this.#cancel()
  }

  #look(): void {
    const left = this.#heardAt + this.#patience - this.#clock.monotonic()
    if (left <= 0) this.#bark()
    else this.#cancel = this.#clock.after(left, () => this.#look())
  }
}
