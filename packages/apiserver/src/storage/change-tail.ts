import type { Change } from './store.ts'

/** What an entry costs beside its texts, roughly. */
const overhead = 300

/**
 * The newest changes, kept in memory for watches that start a little in the past. Bounded by bytes: a burst of large objects
 * shortens it, nothing makes it grow without end.
 */
export class ChangeTail {
  readonly #limit: number
  #changes: Change[] = []
  #start = 0
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(change: Change): void {
    this.#changes.push(withOwnBytes(change))
    this.#size += sizeOf(change)
    while (this.#size > this.#limit && this.#start < this.#changes.length) this.#dropOldest()
  }

  /** Up to `limit` changes from `revision` on; undefined when that one is no longer here. Revisions have no gaps. */
  from(revision: number, limit: number): readonly Change[] | undefined {
    const oldest = this.#changes[this.#start]
    if (oldest === undefined || revision < oldest.revision) return undefined
    const index = this.#start + revision - oldest.revision
    return this.#changes.slice(index, index + limit)
  }

  #dropOldest(): void {
    const oldest = this.#changes[this.#start]
    if (oldest !== undefined) this.#size -= sizeOf(oldest)
    this.#start++
    // Cutting off the front costs as much as what is left, so it waits until that is no more than what it frees.
    if (this.#start * 2 < this.#changes.length) return
    this.#changes = this.#changes.slice(this.#start)
    this.#start = 0
  }
}

function sizeOf({ key, bytes, previous }: Change): number {
  return overhead + key.length + bytes.length + (previous?.bytes.length ?? 0)
}

/** Small buffers share blocks of memory with others: one that stays would keep all of its block, several times what was counted. */
function withOwnBytes(change: Change): Change {
  const { previous } = change
  const bytes = ownBytes(change.bytes)
  const before = previous === undefined ? undefined : ownBytes(previous.bytes)
  if (bytes === change.bytes && before === previous?.bytes) return change
  return { ...change, bytes, ...(previous === undefined || before === undefined ? {} : { previous: { ...previous, bytes: before } }) }
}

function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength < 2 * bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
