/** Why a signal was aborted, as an Error: a rejection with anything else loses its stack and its message on the way up. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new Error(`aborted: ${String(reason)}`)
}

/**
 * A signal of one's own that follows another: aborted with it, or before it for a reason of one's own.
 *
 * `release` ends the following. A signal that lives as long as the process is followed by every request that was ever made under it, so
 * whoever links must release. (`AbortSignal.any` leaves that to the garbage collector.)
 */
export class LinkedAbort {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal | undefined
  readonly #follow = (): void => {
    if (this.#parent !== undefined) this.#controller.abort(this.#parent.reason)
  }

  constructor(parent?: AbortSignal) {
    this.#parent = parent
    if (parent?.aborted === true) this.#follow()
    else parent?.addEventListener('abort', this.#follow, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: Error): void {
    this.release()
    this.#controller.abort(reason)
  }

  release(): void {
    this.#parent?.removeEventListener('abort', this.#follow)
  }
}

/**
 * The promise, unless the signal is aborted first: then a rejection with its reason. What the promise stands for goes on, and what becomes of
 * it is nobody's business any more.
 */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortReason(signal))
    if (signal.aborted) {
      promise.catch(() => {})
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
