/** Reads so many bytes at a time from chunks that come as they like. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #chunk: Buffer = Buffer.alloc(0)
  #position = 0

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** How many bytes were read or skipped. */
  get position(): number {
    return this.#position
  }

  /** Exactly `length` bytes, or as many as there are until the end. */
  async take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    let missing = length
    while (missing > 0 && (await this.#fill())) {
      const piece = this.#chunk.subarray(0, missing)
      pieces.push(piece)
      this.#advance(piece.length)
      missing -= piece.length
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
  }

  /** Passes over `length` bytes; returns how many there were. */
  async skip(length: number): Promise<number> {
    let missing = length
    while (missing > 0 && (await this.#fill())) {
      const passed = Math.min(missing, this.#chunk.length)
      this.#advance(passed)
      missing -= passed
    }
    return length - missing
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  #advance(length: number): void {
    this.#chunk = this.#chunk.subarray(length)
    this.#position += length
  }

  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const step = await this.#source.next()
      if (step.done === true) return false
      this.#chunk = Buffer.from(step.value.buffer, step.value.byteOffset, step.value.byteLength)
    }
    return true
  }
}
