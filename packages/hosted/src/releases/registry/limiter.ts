/** Lets so many run at once for each key; the others wait in line. */
export class Limiter {
  readonly #limit: number
  readonly #lines = new Map<string, { running: number; readonly waiting: Set<() => void> }>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Rejects with the signal's reason when it is aborted before the turn comes. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(key, signal)
    try {
      return await work()
    } finally {
      this.#leave(key)
    }
  }

  async #enter(key: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const line = this.#lines.get(key) ?? { running: 0, waiting: new Set() }
    this.#lines.set(key, line)
    if (line.running < this.#limit) {
      line.running++
      return
    }
    const turn = Promise.withResolvers<void>()
    const leave = (): void => {
      line.waiting.delete(turn.resolve)
      turn.reject(signal.reason)
    }
    line.waiting.add(turn.resolve)
    signal.addEventListener('abort', leave, { once: true })
    try {
      await turn.promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  /** Whoever leaves hands the place to the first in line, so that nobody can slip in between. */
  #leave(key: string): void {
    const line = this.#lines.get(key)
    if (line === undefined) return
    const [next] = line.waiting
    if (next !== undefined) {
      line.waiting.delete(next)
      next()
      return
    }
    line.running--
    if (line.running === 0) this.#lines.delete(key)
  }
}
