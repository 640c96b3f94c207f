import type { Random } from '../random/random.ts'
import type { Cancel, Clock, Instant } from './clock.ts'
import { sleepUsing } from './sleep.ts'
import { TimerHeap } from './timer-heap.ts'
import type { Timer } from './timer-heap.ts'

export interface VirtualClockOptions {
  /** The time at the beginning; 2026-01-01T00:00:00Z unless told. */
  readonly start?: Instant
  /**
   * Shuffles timers of one instant. Without it they fire in the order they were set. A seeded one finds the bugs that hide
   * behind a lucky order, and finds them again with the same seed.
   */
  readonly ties?: Random
}

/**
 * Time that moves only when told to.
 *
 * A step fires one timer and then lets everything that was waiting for it run, until only timers are left. Time therefore
 * never passes while there is work at hand, and the same program with the same seed takes the same steps.
 *
 * Caveat: work that waits for anything but this clock and settled promises (a socket, a worker thread) is not waited for.
 */
export class VirtualClock implements Clock {
  readonly #start: Instant
  readonly #ties: Random | undefined
  readonly #timers = new TimerHeap()
  #now: Instant
  #sequence = 0
  #isMoving = false

  constructor({ start = Date.UTC(2026, 0, 1), ties }: VirtualClockOptions = {}) {
    this.#start = start
    this.#now = start
    this.#ties = ties
  }

  now(): Instant {
    return this.#now
  }

  monotonic(): number {
    return this.#now - this.#start
  }

  after(milliseconds: number, fire: () => void): Cancel {
    const delay = Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0
    const timer: Timer = { due: this.#now + delay, tie: this.#ties?.next() ?? 0, sequence: this.#sequence++, fire }
    this.#timers.push(timer)
    return () => this.#timers.cancel(timer)
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return sleepUsing((delay, fire) => this.after(delay, fire), milliseconds, signal)
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size
  }

  /** When the next timer fires. */
  get nextDue(): Instant | undefined {
    return this.#timers.peek()?.due
  }

  /** Lets everything run that does not wait for time. */
  settle(): Promise<void> {
    return oneTurn()
  }

  /** Fires the next timer, moving time to it, and lets everything run that it set off. False when there was none. */
  step(): Promise<boolean> {
    return this.#move(() => this.#stepUntil(Infinity))
  }

  /** Moves time by `milliseconds`, stopping at every timer on the way. */
  advance(milliseconds: number): Promise<void> {
    return this.advanceTo(this.#now + milliseconds)
  }

  /** Moves time to `instant`, stopping at every timer on the way. */
  advanceTo(instant: Instant): Promise<void> {
    if (instant < this.#now) throw new RangeError(`time does not go back: it is ${iso(this.#now)}, asked for ${iso(instant)}`)
    return this.#move(async () => {
      while (await this.#stepUntil(instant)) {
        // Each step may set timers that are due before the instant too.
      }
      this.#now = instant
    })
  }

  /**
   * Steps until no timer is left; returns how many fired.
   *
   * Errors: throws after `limit` steps (100,000 unless told), because a program with a periodic timer is never idle.
   */
  runUntilIdle({ limit = 100_000 }: { readonly limit?: number } = {}): Promise<number> {
    return this.#move(async () => {
      let steps = 0
      while (await this.#stepUntil(Infinity)) {
        steps++
        if (steps >= limit && this.#timers.size > 0) {
          throw new Error(`still ${this.#timers.size} timers after ${limit} steps, at ${iso(this.#now)}: use advance() where timers repeat`)
        }
      }
      return steps
    })
  }

  /** Steps until `isDone`, looking before the first step and after each; returns whether it came true within `milliseconds`. */
  advanceUntil(isDone: () => boolean, milliseconds: number): Promise<boolean> {
    const deadline = this.#now + milliseconds
    return this.#move(async () => {
      while (!isDone()) {
        if (!(await this.#stepUntil(deadline))) {
          this.#now = deadline
          return isDone()
        }
      }
      return true
    })
  }

  /** Timers that were set by code that has not run yet must count, hence a turn before looking as well as after firing. */
  async #stepUntil(deadline: Instant): Promise<boolean> {
    let next = this.#timers.peek()
    if (next === undefined || next.due > deadline) {
      await oneTurn()
      next = this.#timers.peek()
      if (next === undefined || next.due > deadline) return false
    }
    const timer = this.#timers.pop()
    const fire = timer?.fire
    if (timer === undefined || fire === undefined) return false
    timer.fire = undefined
    this.#now = Math.max(this.#now, timer.due)
    fire()
    await oneTurn()
    return true
  }

  /** Two movers at once would each fire timers in the middle of the other's step. */
  async #move<T>(steps: () => Promise<T>): Promise<T> {
    if (this.#isMoving) throw new Error('this clock is being moved already: await the first move before starting another')
    this.#isMoving = true
    try {
      // What is at hand goes before the first timer, as everywhere else.
      await oneTurn()
      return await steps()
    } finally {
      this.#isMoving = false
    }
  }
}

/** The event loop runs every microtask, those set by microtasks included, before it comes to the next macrotask. */
function oneTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

function iso(instant: Instant): string {
  return new Date(instant).toISOString()
}
