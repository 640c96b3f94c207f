/** More than this waiting for the reader, and the writer should stop for a while. */
const enough = 512 * 1024

export interface ChunkQueueOptions {
  /** The reader has taken everything that waited: the writer may go on. */
  readonly onDrained?: () => void
  /** The reader is gone before the end. */
  readonly onLeft?: () => void
}

/**
 * Bytes on their way from a writer that pushes to one reader that pulls.
 *
 * Pieces that wait are handed over together: a server sends every event as a piece of its own, and what came with one packet is best
 * handled in one step. For the same reason a reader that waits gets its bytes when the writer's turn is over and not in the middle of it.
 */
export class ChunkQueue implements AsyncIterableIterator<Buffer> {
  readonly #options: ChunkQueueOptions
  #chunks: Buffer[] = []
  #buffered = 0
  #state: 'open' | 'ended' | Error = 'open'
  #reader: ((result: Promise<IteratorResult<Buffer>>) => void) | undefined
  #isScheduled = false

  constructor(options: ChunkQueueOptions = {}) {
    this.#options = options
  }

  /** Bytes that wait for the reader. */
  get buffered(): number {
    return this.#buffered
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** False when enough waits by now. */
  push(chunk: Buffer): boolean {
    if (this.#state !== 'open' || chunk.length === 0) return true
    this.#chunks.push(chunk)
    this.#buffered += chunk.length
    this.#wakeReader()
    return this.#buffered < enough
  }

  /** No more comes; what waits is still read. */
  end(): void {
    this.#close('ended')
  }

  /** No more comes, and the reader is told why once it has read what waits. */
  fail(error: Error): void {
    this.#close(error)
  }

  /** Throws away what waits: the reader is told at once. Nothing to a reader who has read everything, or has left. */
  abort(error: Error): void {
    if (this.#state !== 'open' && this.#buffered === 0) return
    this.#clear()
    this.#state = error
    this.#wakeReader()
  }

  /** Caveat: one at a time, as `for await` does it. */
  next(): Promise<IteratorResult<Buffer>> {
    if (this.#buffered > 0 || this.#state !== 'open') return this.#take()
    return new Promise((resolve) => (this.#reader = resolve))
  }

  return(): Promise<IteratorResult<Buffer>> {
    const hasLeft = this.#state === 'open'
    this.#clear()
    this.#state = 'ended'
    this.#wakeReader()
    if (hasLeft) this.#options.onLeft?.()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #close(state: 'ended' | Error): void {
    if (this.#state !== 'open') return
    this.#state = state
    this.#wakeReader()
  }

  #wakeReader(): void {
    if (this.#reader === undefined || this.#isScheduled) return
    this.#isScheduled = true
    queueMicrotask(() => {
      this.#isScheduled = false
      const reader = this.#reader
      this.#reader = undefined
      reader?.(this.#take())
    })
  }

  #take(): Promise<IteratorResult<Buffer>> {
    const [only] = this.#chunks
    if (only !== undefined) {
      const value = this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#buffered)
      this.#clear()
      return Promise.resolve({ done: false, value })
    }
    if (this.#state instanceof Error) {
      const error = this.#state
      this.#state = 'ended'
      return Promise.reject(error)
    }
    return Promise.resolve({ done: true, value: undefined })
  }

  #clear(): void {
    const hadSome = this.#buffered > 0
    this.#chunks = []
    this.#buffered = 0
    if (hadSome) this.#options.onDrained?.()
  }
}
