import type { Instant } from './clock.ts'

/** A timer that waits in a heap. `tie` orders timers of one instant; `sequence` those whose `tie` is equal too. */
export interface Timer {
  readonly due: Instant
  readonly tie: number
  readonly sequence: number
  /** Undefined once fired or cancelled. */
  fire: (() => void) | undefined
}

/**
 * A binary heap of timers, soonest first.
 *
 * Cancelled timers stay until they surface or until they are the majority: a simulation sets and cancels far more time-outs than
 * ever fire, and finding one in the middle of a heap would cost more than carrying it.
 */
export class TimerHeap {
  #timers: Timer[] = []
  #cancelled = 0

  /** How many timers will fire if time goes on. */
  get size(): number {
    return this.#timers.length - this.#cancelled
  }

  push(timer: Timer): void {
    this.#timers.push(timer)
    this.#rise(this.#timers.length - 1)
  }

  /** The soonest timer that is not cancelled, left in place. */
  peek(): Timer | undefined {
    for (;;) {
      const first = this.#timers[0]
      if (first === undefined || first.fire !== undefined) return first
      this.#removeFirst()
      this.#cancelled--
    }
  }

  pop(): Timer | undefined {
    const first = this.peek()
    if (first !== undefined) this.#removeFirst()
    return first
  }

  /** For a timer that is in the heap; one that has left it has no `fire` any more and is ignored. */
  cancel(timer: Timer): void {
    if (timer.fire === undefined) return
    timer.fire = undefined
    this.#cancelled++
    if (this.#cancelled > 64 && this.#cancelled > this.#timers.length / 2) this.#compact()
  }

  #compact(): void {
    // A sorted array is a heap already.
    this.#timers = this.#timers.filter((timer) => timer.fire !== undefined).sort((a, b) => (isBefore(a, b) ? -1 : 1))
    this.#cancelled = 0
  }

  #removeFirst(): void {
    const last = this.#timers.pop()
    if (last === undefined || this.#timers.length === 0) return
    this.#timers[0] = last
    this.#sink(0)
  }

  #rise(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swapIfBefore(index, parent)) return
      index = parent
    }
  }

  #sink(start: number): void {
    let index = start
    for (;;) {
      const left = 2 * index + 1
      const right = left + 1
      const child = this.#isBefore(right, left) ? right : left
      if (!this.#swapIfBefore(child, index)) return
      index = child
    }
  }

  #isBefore(a: number, b: number): boolean {
    const first = this.#timers[a]
    const second = this.#timers[b]
    return first !== undefined && second !== undefined && isBefore(first, second)
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const a = this.#timers[lower]
    const b = this.#timers[upper]
    if (a === undefined || b === undefined || !isBefore(a, b)) return false
    this.#timers[lower] = b
    this.#timers[upper] = a
    return true
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  if (a.due !== b.due) return a.due < b.due
  if (a.tie !== b.tie) return a.tie < b.tie
  return a.sequence < b.sequence
}
