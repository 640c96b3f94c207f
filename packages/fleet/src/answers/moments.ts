import type { Instant } from '@windlass/core'

/**
 * Answers that depend on the time, and when the first of them will be another one.
 *
 * Whoever asks here whether something is past is told so, and what is not past yet is remembered: the soonest of it is when one has to look again. That way no
 * rule that depends on time can be forgotten by whoever sets the timer.
 */
export class Moments {
  readonly now: Instant
  #next: Instant | undefined

  constructor(now: Instant) {
    this.now = now
  }

  /** Whether it is later than the moment; false when there is none. */
  isAfter(moment: Instant | undefined): boolean {
    if (moment === undefined) return false
    if (this.now > moment) return true
    // Times are whole milliseconds: this is the first one after it.
    const due = moment + 1
    if (this.#next === undefined || due < this.#next) this.#next = due
    return false
  }

  /** When to look again; undefined when time alone changes nothing. */
  get next(): Instant | undefined {
    return this.#next
  }
}
