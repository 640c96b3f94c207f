/**
 * Lets only a few writes be worked on in each turn of the event loop; the others have theirs in the next ones, in the order in which they came.
 *
 * Sockets that have something to read are all served before the loop looks at anything else. When sixteen clients had their answers at once, their next sixteen
 * writes came at once as well, and the end of a flush was noticed after the last of them: one flush had one write, the next fifteen, and the server waited for
 * the disk a quarter of the time. In short turns writes go to the disk while the next ones are worked on.
 */
export class Turns {
  readonly #most: number
  readonly #waiting: (() => void)[] = []
  #taken = 0
  #isCounting = false

  constructor(most: number) {
    this.#most = most
  }

  /** Undefined when this turn has room left: going on at once is cheaper than waiting for what has happened already. */
  take(): Promise<void> | undefined {
    if (this.#taken < this.#most) {
      this.#count()
      return undefined
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #count(): void {
    this.#taken++
    if (this.#isCounting) return
    this.#isCounting = true
    setImmediate(() => this.#begin())
  }

  #begin(): void {
    this.#isCounting = false
    this.#taken = 0
    for (const resolve of this.#waiting.splice(0, this.#most)) {
      this.#count()
      resolve()
    }
  }
}
