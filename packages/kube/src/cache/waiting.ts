import { abortReason } from '../transport/abort.ts'

/** Promises for something to become so. Whoever changes anything that it depends on says so with `look`. */
export class Waiting {
  readonly #waiters = new Set<() => void>()

  /** Resolves when it is so; rejects with the signal's reason when that comes first. */
  until(isSo: () => boolean, signal?: AbortSignal): Promise<void> {
    if (isSo()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiters.delete(look)
        signal?.removeEventListener('abort', abort)
      }
      const look = (): void => {
        if (!isSo()) return
        end()
        resolve()
      }
      const abort = (): void => {
        end()
        reject(signal === undefined ? new Error('aborted') : abortReason(signal))
      }
      if (signal?.aborted === true) {
        abort()
        return
      }
      this.#waiters.add(look)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  look(): void {
    for (const look of this.#waiters) look()
  }
}
