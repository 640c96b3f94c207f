/** What comes next in an answer. `gap` is the end of the line behind a chunk. */
type Next = 'head' | 'body' | 'size' | 'chunk' | 'gap' | 'nothing'

const empty: Buffer = Buffer.alloc(0)
const lineEnd = '\r\n'

/** Reads one answer of HTTP/1.1 as it comes, cut anywhere: what it says at its head, and how many bytes its body has. */
export class AnswerReader {
  status = 0
  /** Whether the connection takes another request afterwards. */
  staysOpen = true
  /** Of the body, without what frames it. */
  bytes = 0
  readonly #keeps: (status: number) => boolean
  readonly #kept: Buffer[] = []
  #next: Next = 'head'
  /** A head, or a size, that is not whole yet. */
  #begun = empty
  /** How many bytes there are to come of what is next. */
  #left = 0
  #isLastChunk = false

  /** `keeps` says which bodies are wanted as texts. */
  constructor(keeps: (status: number) => boolean) {
    this.#keeps = keeps
  }

  get text(): string {
    return Buffer.concat(this.#kept).toString()
  }

  /** Whether that was the end of the answer. */
  take(data: Buffer): boolean {
    let rest: Buffer | undefined = data
    while (rest !== undefined && this.#next !== 'nothing') {
      rest = this.#next === 'head' ? this.#readHead(rest) : this.#next === 'size' ? this.#readSize(rest) : this.#readBytes(rest)
    }
    return this.#next === 'nothing'
  }

  // Each of these gives what comes behind what it reads, and undefined when that is not whole.

  #readHead(data: Buffer): Buffer | undefined {
    return this.#readUntil(lineEnd + lineEnd, data, (head) => {
      this.status = Number(head.slice(9, 12))
      this.staysOpen = !/\r\nconnection: *close/i.test(head)
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
      this.#left = Number(length ?? 0)
      this.#next = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(head) ? 'size' : this.#left === 0 ? 'nothing' : 'body'
    })
  }

  #readSize(data: Buffer): Buffer | undefined {
    return this.#readUntil(lineEnd, data, (size) => {
      const length = Number.parseInt(size, 16)
      this.#isLastChunk = length === 0
      this.#expect(this.#isLastChunk ? 'gap' : 'chunk', this.#isLastChunk ? lineEnd.length : length)
    })
  }

  #readBytes(data: Buffer): Buffer | undefined {
    const part = data.subarray(0, this.#left)
    this.#left -= part.length
    if (this.#next !== 'gap') {
      this.bytes += part.length
      if (this.#keeps(this.status)) this.#kept.push(part)
    }
    if (this.#left > 0) return undefined
    if (this.#next === 'chunk') this.#expect('gap', lineEnd.length)
    else this.#next = this.#next === 'gap' && !this.#isLastChunk ? 'size' : 'nothing'
    return data.subarray(part.length)
  }

  #expect(next: Next, left: number): void {
    this.#next = next
    this.#left = left
  }

  #readUntil(end: string, data: Buffer, use: (text: string) => void): Buffer | undefined {
    const all = this.#begun.length === 0 ? data : Buffer.concat([this.#begun, data])
    const at = all.indexOf(end)
    this.#begun = at < 0 ? all : empty
    if (at < 0) return undefined
    use(all.toString('latin1', 0, at))
    return all.subarray(at + end.length)
  }
}
