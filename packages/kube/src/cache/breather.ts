import type { Clock } from '@windlass/core'

/** Milliseconds of work in one go. What reads and parses the objects works about as long again. */
const longestStretch = 10

/**
 * Lets others run while a cache takes in many objects. Sockets do so by themselves, but a server in the same process can answer for seconds
 * without the event loop turning once.
 *
 * In virtual time work takes no time, so that nobody ever has to wait and every run takes the same steps.
 */
export class Breather {
  readonly #clock: Clock
  #worked = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async work(piece: () => void): Promise<void> {
    const started = this.#clock.monotonic()
    piece()
    this.#worked += this.#clock.monotonic() - started
    if (this.#worked < longestStretch) return
    this.#worked = 0
    await this.#clock.sleep(0)
  }
}
