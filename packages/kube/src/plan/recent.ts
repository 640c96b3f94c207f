/**
 * A map that forgets: it holds at least `size` of the entries that were used last, and never more than twice as many.
 *
 * Two halves: what is used goes into the young one; when that is full, it becomes the old one, and what was still in the old one is gone. Nothing has to
 * be moved or searched for that.
 */
export class Recent<Value> {
  readonly #size: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()

  constructor(size: number) {
    this.#size = size
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: Value): void {
    this.#old.delete(key)
    this.#young.set(key, value)
    if (this.#young.size < this.#size) return
    this.#old = this.#young
    this.#young = new Map()
  }

  delete(key: string): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** Those that were used last come last. */
  *keys(): Iterable<string> {
    yield* this.#old.keys()
    yield* this.#young.keys()
  }
}
