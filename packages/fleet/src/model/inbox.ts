import { orAborted } from '@windlass/kube'

/** What several put in, and one reads as it comes. */
export class Inbox<T> {
  #items: T[] = []
  #wake: () => void = () => {}

  put(item: T): void {
    this.#items.push(item)
    this.#wake()
  }

  /** Ends when the signal is aborted; what is in it by then is read first. */
  async *read(signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const items = this.#items
      this.#items = []
      yield* items
      if (this.#items.length > 0) continue
      if (signal.aborted) return
      await orAborted(new Promise<void>((resolve) => (this.#wake = resolve)), signal).catch(() => {})
    }
  }
}
