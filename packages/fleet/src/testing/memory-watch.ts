import type { KubernetesObject } from '@windlass/api'
import { orAborted, type Watch, type WatchEvent } from '@windlass/kube'

type Item = readonly WatchEvent<KubernetesObject>[] | Error | 'end'

/** A watch of a server in memory. */
export class MemoryWatch {
  readonly kind: string
  readonly #isSelected: (object: KubernetesObject) => boolean
  readonly #onClose: () => void
  readonly #items: Item[] = []
  #wake: () => void = () => {}

  constructor(kind: string, isSelected: (object: KubernetesObject) => boolean, onClose: () => void) {
    this.kind = kind
    this.#isSelected = isSelected
    this.#onClose = onClose
  }

  send(events: readonly WatchEvent<KubernetesObject>[]): void {
    const wanted = events.filter(({ type, object }) => type === 'BOOKMARK' || this.#isSelected(object))
    if (wanted.length > 0) this.#push(wanted)
  }

  fail(error: Error): void {
    this.#push(error)
  }

  end(): void {
    this.#push('end')
  }

  open(signal: AbortSignal | undefined): Watch<KubernetesObject> {
    return { close: () => this.#onClose(), [Symbol.asyncIterator]: () => this.#iterate(signal) }
  }

  #push(item: Item): void {
    this.#items.push(item)
    this.#wake()
  }

  async *#iterate(signal: AbortSignal | undefined): AsyncGenerator<readonly WatchEvent<KubernetesObject>[]> {
    for (;;) {
      const item = this.#items.shift()
      if (item === 'end') return
      if (item instanceof Error) throw item
      if (item !== undefined) yield item
      else await orAborted(new Promise<void>((resolve) => (this.#wake = resolve)), signal)
    }
  }
}
