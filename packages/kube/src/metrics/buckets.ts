/**
 * Durations, counted by how long they were. A histogram of prom-client does the same, many times slower: it hashes labels for every value. These
 * are plain numbers, and prom-client sees them when somebody asks.
 */
export class Buckets {
  /** Upper bounds, ascending; what is longer than the last one is only in `count`. */
  readonly bounds: readonly number[]
  /** How many fell between a bound and the one before it; the last is for those beyond all bounds. */
  readonly #counts: Float64Array
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  get sum(): number {
    return this.#sum
  }

  get count(): number {
    return this.#counts.reduce((total, count) => total + count, 0)
  }

  observe(value: number): void {
    let low = 0
    let high = this.bounds.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (value <= (this.bounds[middle] ?? Infinity)) high = middle
      else low = middle + 1
    }
    this.#counts[low] = (this.#counts[low] ?? 0) + 1
    this.#sum += value
  }

  /** How many were not longer than each bound. */
  cumulative(): readonly (readonly [bound: number, count: number])[] {
    let total = 0
    return this.bounds.map((bound, index) => [bound, (total += this.#counts[index] ?? 0)])
  }
}
