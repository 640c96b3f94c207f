import type { Release } from './updates/index.ts'
import { type AskedRelease, versionRef } from './version-operator/index.ts'

/** Tells the version operator of a guest which release its hosted control plane asks for. Whoever follows the control plane calls `ask`. */
export class ReleaseFeed implements AskedRelease {
  #release: Release | undefined
  readonly #listeners = new Set<() => void>()

  constructor(release?: Release) {
    this.#release = release
  }

  current(): Release | undefined {
    return this.#release
  }

  /** Undefined: nothing is known to be asked for, so that the guest stays as it is. */
  ask(release: Release | undefined): void {
    this.#release = release
    for (const wake of this.#listeners) wake()
  }

  /** All that were asked for since the last look are one change. */
  readonly changes: AskedRelease['changes'] = ({ signal }) => this.#changes(signal)

  async *#changes(signal: AbortSignal): AsyncGenerator<typeof versionRef> {
    yield versionRef
    let hasChanged = false
    let wake = (): void => undefined
    const listener = (): void => {
      hasChanged = true
      wake()
    }
    this.#listeners.add(listener)
    const onAbort = (): void => wake()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      while (!signal.aborted) {
        if (!hasChanged) await new Promise<void>((resolve) => (wake = resolve))
        if (signal.aborted) return
        hasChanged = false
        yield versionRef
      }
    } finally {
      this.#listeners.delete(listener)
      signal.removeEventListener('abort', onAbort)
    }
  }
}
