/** JSON.parse keeps one copy of strings up to this length by itself. */
const longestSharedAlready = 10
/** Longer ones (certificates, documents) are not worth hashing. */
const longestShared = 1024

/** In characters. */
const longestGeneration = 250_000

/**
 * One copy of each string, for those that come again and again.
 *
 * Those that are asked for stay. Others are forgotten after a generation or two of new ones: that bounds the table without keeping track of
 * who was used last.
 */
export class StringTable {
  #young = new Map<string, string>()
  #old = new Map<string, string>()
  #length = 0

  /** Whether there is anything to win by looking. */
  takes(text: string): boolean {
    return text.length > longestSharedAlready && text.length <= longestShared
  }

  /** The copy that others have, or undefined when this is the first: then it is the copy from now on. */
  find(text: string): string | undefined {
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    const kept = old ?? text
    this.#young.set(kept, kept)
    this.#length += kept.length
    if (this.#length >= longestGeneration) {
      this.#old = this.#young
      this.#young = new Map()
      this.#length = 0
    }
    return old
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }
}
