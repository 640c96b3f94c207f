import { type Clock, type Delayed, Delays } from '@windlass/core'

/** Something that must not take longer than it may. */
export interface Deadline extends Delayed {
  /** Its time is over. */
  expire(): void
}

/** All deadlines of a controller, with one timer. */
export function createDeadlines(clock: Clock): Delays<Deadline> {
  return new Delays(clock, (deadline) => deadline.expire())
}
