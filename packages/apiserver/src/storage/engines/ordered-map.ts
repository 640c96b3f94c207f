import type { ByteString } from '../byte-string.ts'
import type { KeyValue, Range } from '../engine.ts'

const largestChunk = 256

interface Chunk {
  readonly keys: ByteString[]
  readonly values: Buffer[]
}

/**
 * Keys in order, in chunks. Never changes: an update copies the chunks it touches and shares the others, so that keeping an old
 * state costs nothing and whoever reads it needs no lock.
 */
export class OrderedMap {
  readonly #chunks: readonly Chunk[]

  constructor(chunks: readonly Chunk[] = []) {
    this.#chunks = chunks
  }

  get(key: ByteString): Buffer | undefined {
    const chunk = this.#chunks[chunkIndex(this.#chunks, key)]
    if (chunk === undefined) return undefined
    const index = lowerBound(chunk.keys, key)
    return chunk.keys[index] === key ? chunk.values[index] : undefined
  }

  /** A map with these writes in it; `undefined` deletes. */
  with(writes: ReadonlyMap<ByteString, Buffer | undefined>): OrderedMap {
    if (writes.size === 0) return this
    const draft = new Draft([...this.#chunks])
    for (const [key, value] of writes) {
      if (value === undefined) draft.delete(key)
      else draft.set(key, value)
    }
    return new OrderedMap(draft.chunks)
  }

  range({ from, to, limit }: Range): readonly KeyValue[] {
    const found: KeyValue[] = []
    this.#walk(from, to, limit, (key, value) => found.push({ key, value }))
    return found
  }

  keys({ from, to, limit }: Range): readonly ByteString[] {
    const found: ByteString[] = []
    this.#walk(from, to, limit, (key) => found.push(key))
    return found
  }

  #walk(from: ByteString, to: ByteString, limit: number, visit: (key: ByteString, value: Buffer) => void): void {
    let left = limit
    const start = Math.max(0, chunkIndex(this.#chunks, from))
    for (let at = start; at < this.#chunks.length; at++) {
      const { keys = [], values = [] } = this.#chunks[at] ?? {}
      for (let index = at === start ? lowerBound(keys, from) : 0; index < keys.length; index++) {
        const key = keys[index]
        const value = values[index]
        if (key === undefined || value === undefined || key >= to || left-- <= 0) return
        visit(key, value)
      }
    }
  }
}

/** The next state of a map while it is made: copies each chunk once. */
class Draft {
  readonly chunks: Chunk[]
  readonly #own = new Set<Chunk>()

  constructor(chunks: Chunk[]) {
    this.chunks = chunks
  }

  set(key: ByteString, value: Buffer): void {
    const at = Math.max(0, chunkIndex(this.chunks, key))
    const chunk = this.#editable(at)
    const index = lowerBound(chunk.keys, key)
    if (chunk.keys[index] === key) {
      chunk.values[index] = value
      return
    }
    // Keys that only grow, as those of the log, leave full chunks behind instead of half-full ones.
    if (index === chunk.keys.length && index >= largestChunk && at === this.chunks.length - 1) {
      this.#insert(at + 1, { keys: [key], values: [value] })
      return
    }
    chunk.keys.splice(index, 0, key)
    chunk.values.splice(index, 0, value)
    if (chunk.keys.length <= largestChunk) return
    const middle = chunk.keys.length >>> 1
    this.#insert(at + 1, { keys: chunk.keys.splice(middle), values: chunk.values.splice(middle) })
  }

  delete(key: ByteString): void {
    const at = chunkIndex(this.chunks, key)
    const found = this.chunks[at]
    if (found === undefined) return
    const index = lowerBound(found.keys, key)
    if (found.keys[index] !== key) return
    const chunk = this.#editable(at)
    chunk.keys.splice(index, 1)
    chunk.values.splice(index, 1)
    if (chunk.keys.length === 0) this.chunks.splice(at, 1)
  }

  #editable(at: number): Chunk {
    const chunk = this.chunks[at]
    if (chunk !== undefined && this.#own.has(chunk)) return chunk
    const copy = { keys: [...(chunk?.keys ?? [])], values: [...(chunk?.values ?? [])] }
    this.chunks[at] = copy
    this.#own.add(copy)
    return copy
  }

  #insert(at: number, chunk: Chunk): void {
    this.chunks.splice(at, 0, chunk)
    this.#own.add(chunk)
  }
}

/** The last chunk that starts at or before `key`; -1 when all start behind it. */
function chunkIndex(chunks: readonly Chunk[], key: ByteString): number {
  let low = 0
  let high = chunks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((chunks[middle]?.keys[0] ?? '') <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}

function lowerBound(keys: readonly ByteString[], key: ByteString): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
