import type { Instant } from '@windlass/core'

/** How long a payload is kept: two tokens live no longer than that. */
export const payloadLifetime = 11 * 3_600_000

export interface StoredPayload {
  readonly payload: string
  /** What it was made with: another one makes it stale. */
  readonly cloudConfigHash: string
}

interface Entry extends StoredPayload {
  readonly expires: Instant
}

/**
 * Payloads by token, as the ignition server hands them out. Nothing is lost with it: what is missing is made again.
 *
 * There is no timer: what is too old is not found, and goes when the next one comes.
 */
export class PayloadStore {
  readonly #entries = new Map<string, Entry>()

  get size(): number {
    return this.#entries.size
  }

  find(token: string, now: Instant): StoredPayload | undefined {
    const entry = this.#entries.get(token)
    return entry === undefined || entry.expires <= now ? undefined : entry
  }

  keep(token: string, { payload, cloudConfigHash }: StoredPayload, now: Instant): void {
    this.#sweep(now)
    // Put at the end again: entries are in the order in which they expire.
    this.#entries.delete(token)
    this.#entries.set(token, { payload, cloudConfigHash, expires: now + payloadLifetime })
  }

  forget(token: string): void {
    this.#entries.delete(token)
  }

  #sweep(now: Instant): void {
    for (const [token, { expires }] of this.#entries) {
      if (expires > now) return
      this.#entries.delete(token)
    }
  }
}
