import type { Instant } from '@windlass/core'

interface Due {
  readonly at: Instant
  readonly id: string
}

/**
 * When which cluster has to be looked at though nothing happens to it: a binary heap, soonest first, and one timer for all.
 *
 * Of each cluster the last time that was set counts. Older ones stay in the heap until they surface, or until they are the majority.
 */
export class DueTimes {
  readonly #times = new Map<string, Instant>()
  #heap: Due[] = []

  /** Undefined: time alone changes nothing. */
  set(id: string, at: Instant | undefined): void {
    if (this.#times.get(id) === at) return
    if (at === undefined) {
      this.#times.delete(id)
    } else {
      this.#times.set(id, at)
      this.#push({ at, id })
    }
    if (this.#heap.length > 64 && this.#heap.length > 2 * this.#times.size) this.#compact()
  }

  /** When the next one is due. */
  get next(): Instant | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined) return undefined
      if (this.#times.get(first.id) === first.at) return first.at
      this.#removeFirst()
    }
  }

  /** Takes out all that are due. */
  take(now: Instant): readonly string[] {
    const due: string[] = []
    for (let next = this.next; next !== undefined && next <= now; next = this.next) {
      const { id } = this.#heap[0] ?? { id: '' }
      due.push(id)
      this.#times.delete(id)
      this.#removeFirst()
    }
    return due
  }

  get size(): number {
    return this.#times.size
  }

  #compact(): void {
    // A sorted array is a heap already.
    this.#heap = Array.from(this.#times, ([id, at]) => ({ at, id })).toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  }

  #push(due: Due): void {
    let index = this.#heap.push(due) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#swapIfSooner(index, parent)) return
      index = parent
    }
  }

  #removeFirst(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    let index = 0
    for (;;) {
      const left = 2 * index + 1
      const child = this.#isSooner(left + 1, left) ? left + 1 : left
      if (!this.#swapIfSooner(child, index)) return
      index = child
    }
  }

  #isSooner(a: number, b: number): boolean {
    const [first, second] = [this.#heap[a], this.#heap[b]]
    if (first === undefined || second === undefined) return false
    return first.at < second.at || (first.at === second.at && first.id < second.id)
  }

  #swapIfSooner(lower: number, upper: number): boolean {
    const [a, b] = [this.#heap[lower], this.#heap[upper]]
    if (a === undefined || b === undefined || !this.#isSooner(lower, upper)) return false
    this.#heap[lower] = b
    this.#heap[upper] = a
    return true
  }
}
