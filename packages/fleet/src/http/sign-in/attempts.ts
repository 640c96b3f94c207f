import type { Clock, Instant } from '@windlass/core'
import { Problem } from '../problem.ts'

/** Failures that an address has within the window before it has to wait. */
const perAddress = 10
/** And all addresses together, for whoever has many. */
const altogether = 200
const window = 60_000
/** More addresses than that are not told apart. */
const mostAddresses = 10_000

interface Tally {
  failures: number
  readonly began: Instant
}

/** Counts failed tries to sign in, so that nobody gets in by trying. */
export class Attempts {
  readonly #clock: Clock
  readonly #byAddress = new Map<string, Tally>()
  #all: Tally | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * # Errors
   *
   * `Problem` with 429 when there were too many failures lately.
   */
  check(address: string): void {
    const now = this.#clock.now()
    const until = Math.max(
      this.#blockedUntil(this.#byAddress.get(address), perAddress, now),
      this.#blockedUntil(this.#all, altogether, now),
    )
    if (until <= now) return
    const seconds = Math.ceil((until - now) / 1000)
    throw new Problem(429, `There were too many tries to sign in: wait ${seconds} seconds.`, { 'retry-after': String(seconds) })
  }

  failed(address: string): void {
    const now = this.#clock.now()
    this.#all = this.#counted(this.#all, now)
    const tally = this.#counted(this.#byAddress.get(address), now)
    this.#byAddress.delete(address)
    this.#byAddress.set(address, tally)
    for (const oldest of this.#byAddress.keys()) {
      if (this.#byAddress.size <= mostAddresses) break
      this.#byAddress.delete(oldest)
    }
  }

  #counted(before: Tally | undefined, now: Instant): Tally {
    const tally = before === undefined || now - before.began >= window ? { failures: 0, began: now } : before
    tally.failures++
    return tally
  }

  #blockedUntil(tally: Tally | undefined, limit: number, now: Instant): Instant {
    if (tally === undefined || tally.failures < limit) return now
    return tally.began + window
  }
}
