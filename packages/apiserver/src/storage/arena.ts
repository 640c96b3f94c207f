const blockSize = 256 * 1024

/**
 * Memory that a scan reads into, block by block, and that the next one may overwrite.
 *
 * Lists copy what they read once more, into what they send. Left to the garbage collector, what they have read would pile up: it looks only when 64 MB of
 * buffers have come.
 */
export class Arena {
  readonly #blocks: Buffer[] = []
  #block = 0
  #used = 0

  allocate(size: number): Buffer {
    // Few objects are so large, and a block for each would stay.
    if (size > blockSize) return Buffer.allocUnsafeSlow(size)
    if (this.#used + size > blockSize) {
      this.#block++
      this.#used = 0
    }
    const block = (this.#blocks[this.#block] ??= Buffer.allocUnsafeSlow(blockSize))
    const start = this.#used
    this.#used += size
    return block.subarray(start, this.#used)
  }

  /** Everything that was allocated so far may be overwritten from now on. */
  reset(): void {
    this.#block = 0
    this.#used = 0
  }
}
