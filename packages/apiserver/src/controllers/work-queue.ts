/**
 * Keys to look at, each once however often it was added, a few at a time. A key added while it is worked on is worked on again.
 */
export class WorkQueue {
  readonly #work: (key: string) => Promise<void>
  readonly #concurrency: number
  readonly #onError: (key: string, error: unknown) => void
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()
  #idle: (() => void)[] = []
  #isStopped = false

  constructor(concurrency: number, work: (key: string) => Promise<void>, onError: (key: string, error: unknown) => void) {
    this.#concurrency = concurrency
    this.#work = work
    this.#onError = onError
  }

  add(key: string): void {
    if (this.#isStopped) return
    this.#waiting.add(key)
    this.#fill()
  }

  /** Resolves when nothing is waiting or running. */
  idle(): Promise<void> {
    if (this.#waiting.size === 0 && this.#running.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  /** Takes no more work and waits for what is running. */
  stop(): Promise<void> {
    this.#isStopped = true
    this.#waiting.clear()
    return this.idle()
  }

  #fill(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.#concurrency) return
      if (this.#running.has(key)) continue
      this.#waiting.delete(key)
      void this.#run(key)
    }
  }

  async #run(key: string): Promise<void> {
    this.#running.add(key)
    try {
      await this.#work(key)
    } catch (error) {
      this.#onError(key, error)
    } finally {
      this.#running.delete(key)
      this.#fill()
      if (this.#waiting.size === 0 && this.#running.size === 0) {
        const waiting = this.#idle
        this.#idle = []
        for (const resolve of waiting) resolve()
      }
    }
  }
}
