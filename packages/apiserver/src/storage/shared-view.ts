import { behind, type ByteString } from './byte-string.ts'
import { type KeyValue, longestEngineKey, type Range, type Table, type View } from './engine.ts'

/** Bytes to read at once: large enough that seeking does not matter, small enough that a list of large objects stays small. */
const chunkBytes = 512 * 1024
const firstChunk = 16
const largestChunk = 256
const keysAtOnce = 4096

/** A view that several readers look through; the last one to leave closes it. */
export class SharedView {
  /** The newest revision in it. */
  readonly revision: number
  readonly #view: View
  #holders = 1

  constructor(view: View, revision: number) {
    this.#view = view
    this.revision = revision
  }

  hold(): this {
    this.#holders++
    return this
  }

  release(): void {
    this.#holders--
    if (this.#holders === 0) this.#view.close()
  }

  get(table: Table, key: ByteString): Buffer | undefined {
    return key === '' || key.length > longestEngineKey ? undefined : this.#view.get(table, key)
  }

  keys(table: Table, range: Range): readonly ByteString[] {
    return this.#view.keys(table, clipped(range))
  }

  range(table: Table, range: Range): readonly KeyValue[] {
    return this.#view.range(table, clipped(range))
  }

  /** Reads a range piece by piece, so that its size does not matter. Holds the view until the end. */
  *chunks(table: Table, { from, limit, ...rest }: Range): Generator<readonly KeyValue[], void, undefined> {
    this.hold()
    try {
      let next = from
      let left = limit
      let size = firstChunk
      while (left > 0) {
        const wanted = Math.min(size, left)
        const chunk = this.range(table, { ...rest, from: next, limit: wanted })
        const last = chunk.at(-1)
        if (last === undefined) return
        yield chunk
        if (chunk.length < wanted) return
        left -= chunk.length
        next = behind(last.key)
        size = nextSize(chunk)
      }
    } finally {
      this.release()
    }
  }

  *keyChunks(table: Table, from: ByteString, to: ByteString): Generator<readonly ByteString[], void, undefined> {
    this.hold()
    try {
      let next = from
      for (;;) {
        const keys = this.keys(table, { from: next, to, limit: keysAtOnce })
        const last = keys.at(-1)
        if (last === undefined) return
        yield keys
        if (keys.length < keysAtOnce) return
        next = behind(last)
      }
    } finally {
      this.release()
    }
  }
}

/** What callers ask for may be longer than any key is. Cutting it off there changes nothing about what lies in between. */
function clipped(range: Range): Range {
  return { ...range, from: clip(range.from), to: clip(range.to) }
}

function clip(key: ByteString): ByteString {
  return key.length <= longestEngineKey ? key : (key.slice(0, longestEngineKey) as ByteString)
}

function nextSize(chunk: readonly KeyValue[]): number {
  const bytes = chunk.reduce((sum, { value }) => sum + value.length, 0)
  return Math.max(1, Math.min(largestChunk, Math.floor((chunkBytes * chunk.length) / Math.max(1, bytes))))
}
