import type { Stored } from './records.ts'

/** Larger ones would take more memory than it is worth. */
const largest = 1024
/** The namespaces of a thousand clusters, and some more: with too few places they would be read again and again. */
const most = 4096

/**
 * Small durable entries that writes have looked at: above all the namespace that each new object is created in. Whoever asks again gets the same reference, so that
 * what was found out about it can be kept beside it.
 */
export class HotEntries {
  readonly #entries = new Map<string, Stored>()

  get(key: string): Stored | undefined {
    return this.#entries.get(key)
  }

  keep(key: string, stored: Stored): void {
    if (stored.entry.bytes.length > largest) return
    if (this.#entries.size >= most) this.#forgetOldest()
    this.#entries.set(key, stored)
  }

  /** To be called for every change in the step in which readers see it. */
  forget(key: string): void {
    this.#entries.delete(key)
  }

  #forgetOldest(): void {
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }
}
