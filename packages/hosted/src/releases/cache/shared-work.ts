interface Running<T> {
  readonly result: Promise<T>
  readonly control: AbortController
  waiting: number
}

/** What several want at the same time is done once for all of them. */
export class SharedWork<T> {
  readonly #running = new Map<string, Running<T>>()

  /**
   * Joins the work under this key, or starts it. Whoever's signal is aborted leaves, with its reason; when everybody has left, the work itself is
   * aborted, and whoever comes then starts anew.
   */
  async run(key: string, signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal?.throwIfAborted()
    const running = this.#running.get(key) ?? this.#start(key, start)
    running.waiting++
    if (signal === undefined) return running.result
    const left = Promise.withResolvers<never>()
    const leave = (): void => {
      left.reject(signal.reason)
      running.waiting--
      if (running.waiting > 0) return
      this.#forget(key, running)
      running.control.abort(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([running.result, left.promise])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Running<T> {
    const control = new AbortController()
    const running: Running<T> = { result: start(control.signal), control, waiting: 0 }
    this.#running.set(key, running)
    const forget = (): void => this.#forget(key, running)
    running.result.then(forget, forget)
    return running
  }

  #forget(key: string, running: Running<T>): void {
    if (this.#running.get(key) === running) this.#running.delete(key)
  }
}
