import { ApiError } from '../errors/api-error.ts'

/** How long the queue of one user may get, and how many wait in all. */
const mostWaitingPerUser = 100
const mostWaiting = 1000

/**
 * Bounds how many requests run at once. Those beyond wait in a queue per user, served in turn, so that one user's flood does not
 * starve the others; when the queues are full the answer is 429.
 */
export class Limiter {
  readonly #limit: number
  readonly #queues = new Map<string, (() => void)[]>()
  #running = 0
  #waiting = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get running(): number {
    return this.#running
  }

  /** Undefined when the request may run at once; a promise of its turn otherwise. Call `leave` afterwards in both cases. */
  enter(user: string): Promise<void> | undefined {
    if (this.#running < this.#limit && this.#waiting === 0) {
      this.#running++
      return undefined
    }
    const queue = this.#queues.get(user) ?? []
    if (queue.length >= mostWaitingPerUser || this.#waiting >= mostWaiting) throw tooMany()
    this.#queues.set(user, queue)
    this.#waiting++
    return new Promise((resolve) => queue.push(resolve))
  }

  leave(): void {
    this.#running--
    for (const [user, queue] of this.#queues) {
      const next = queue.shift()
      // To the back of the line, whether or not there is more to do.
      this.#queues.delete(user)
      if (queue.length > 0) this.#queues.set(user, queue)
      if (next === undefined) continue
      this.#waiting--
      this.#running++
      next()
      return
    }
  }
}

function tooMany(): ApiError {
  return new ApiError(429, 'TooManyRequests', 'too many requests, please try again later', { details: { retryAfterSeconds: 1 } })
}
