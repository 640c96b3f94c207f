import type { Cancel, Clock } from './clock.ts'

/** What an entry of `Delays` carries. */
export interface Delayed {
  /** When its time comes, on the monotonic clock. Set by whoever adds it. */
  due: number
  /** Where it is in the heap; -1 when it is not in there. */
  place: number
  /** Orders entries that are due at the same time: first come, first out. */
  sequence: number
}

/** Timers are no finer than this. Anything due sooner is due: fractions of a millisecond would only set the timer again and again. */
const grain = 1

/**
 * Any number of entries that wait for their time, and one timer for all of them: a heap, soonest first.
 *
 * A timer that was set for an entry which has left meanwhile is not taken back: it fires, finds nothing, and is set for the next one. Most entries leave
 * before their time, and taking timers back each time would cost more.
 */
export class Delays<T extends Delayed> {
  readonly #clock: Clock
  readonly #onDue: (entry: T) => void
  readonly #heap: T[] = []
  #sequence = 0
  #timer: { readonly due: number; readonly cancel: Cancel } | undefined

  /** `onDue` gets each entry when its time has come and it has left the heap. It may add entries. */
  constructor(clock: Clock, onDue: (entry: T) => void) {
    this.#clock = clock
    this.#onDue = onDue
  }

  get size(): number {
    return this.#heap.length
  }

  /** In no order. */
  entries(): readonly T[] {
    return this.#heap
  }

  add(entry: T): void {
    entry.sequence = this.#sequence++
    entry.place = this.#heap.length
    this.#heap.push(entry)
    this.#rise(entry)
    if (entry.place === 0) this.#arm(entry.due)
  }

  /** Does nothing to an entry that is not in there. */
  remove(entry: T): void {
    const { place } = entry
    if (place < 0) return
    entry.place = -1
    const last = this.#heap.pop()
    if (last === undefined || last === entry) return
    this.#put(last, place)
    this.#rise(last)
    this.#sink(last)
  }

  /** Takes back the timer. Entries stay, and nothing happens to them unless another one is added. */
  close(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #arm(due: number): void {
    // What is never due needs no timer.
    if (due === Number.POSITIVE_INFINITY) return
    if (this.#timer !== undefined) {
      if (this.#timer.due <= due) return
      this.#timer.cancel()
    }
    this.#timer = { due, cancel: this.#clock.after(due - this.#clock.monotonic(), () => this.#fire()) }
  }

  #fire(): void {
    this.#timer = undefined
    const now = this.#clock.monotonic()
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined) return
      if (first.due >= now + grain) {
        this.#arm(first.due)
        return
      }
      this.remove(first)
      this.#onDue(first)
    }
  }

  #rise(entry: T): void {
    while (entry.place > 0) {
      const parent = this.#heap[(entry.place - 1) >> 1]
      if (parent === undefined || !isBefore(entry, parent)) return
      this.#swap(entry, parent)
    }
  }

  #sink(entry: T): void {
    for (;;) {
      const left = this.#heap[2 * entry.place + 1]
      const right = this.#heap[2 * entry.place + 2]
      const child = left !== undefined && right !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || !isBefore(child, entry)) return
      this.#swap(entry, child)
    }
  }

  #swap(a: T, b: T): void {
    const { place } = a
    this.#put(a, b.place)
    this.#put(b, place)
  }

  #put(entry: T, place: number): void {
    this.#heap[place] = entry
    entry.place = place
  }
}

function isBefore(a: Delayed, b: Delayed): boolean {
  return a.due !== b.due ? a.due < b.due : a.sequence < b.sequence
}
