import { constants, createGzip } from 'node:zlib'
import { type Outgoing, writeHead } from '../asked.ts'

/** As much may wait for a reader who does not read: more than the whole of a large fleet, and far less than memory. */
const mostWaiting = 64 * 1024 * 1024

/** An answer of server-sent events, to one reader. */
export class EventStream {
  readonly #outgoing: Outgoing
  readonly #sink: NodeJS.WritableStream & { readonly writableLength: number }
  readonly #onClose = new Set<() => void>()
  #waitingBefore = 0
  #isOpen = true

  /** `isZipped`: every event is a block of its own, so that it gets there at once. */
  constructor(outgoing: Outgoing, headers: Readonly<Record<string, string>>, { isZipped, retry }: StreamOptions) {
    this.#outgoing = outgoing
    writeHead(outgoing, 200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    })
    this.#sink = outgoing
    if (isZipped) {
      const zip = createGzip({ level: 1, flush: constants.Z_SYNC_FLUSH })
      zip.on('error', () => this.drop())
      zip.pipe(outgoing)
      this.#sink = zip
    }
    outgoing.on('error', () => this.#closed())
    outgoing.once('close', () => this.#closed())
    this.#write(`retry: ${retry}\n\n`)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** `data` is one line: JSON. */
  send(event: string, data: string, id?: string): void {
    this.#write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`)
  }

  /** Nothing, so that whoever stands between knows that it goes on. Drops a reader who has read nothing since the last time. */
  beat(): void {
    const waiting = this.#waiting()
    if (waiting > 0 && waiting >= this.#waitingBefore && this.#waitingBefore > 0) return this.drop()
    this.#waitingBefore = waiting
    this.#write(': still here\n\n')
  }

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#onClose.add(listener)
    else listener()
  }

  /** The reader may come again. */
  close(): void {
    if (!this.#isOpen) return
    this.#sink.end()
    this.#closed()
  }

  /** Without waiting for what was not read. */
  drop(): void {
    this.#outgoing.destroy()
    this.#closed()
  }

  #write(text: string): void {
    if (!this.#isOpen) return
    if (this.#waiting() > mostWaiting) return this.drop()
    this.#sink.write(text)
  }

  #waiting(): number {
    const { writableLength } = this.#outgoing
    return this.#sink === this.#outgoing ? writableLength : writableLength + this.#sink.writableLength
  }

  #closed(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const listener of this.#onClose) listener()
    this.#onClose.clear()
  }
}

export interface StreamOptions {
  readonly isZipped: boolean
  /** After how many milliseconds a reader who was cut off comes again. */
  readonly retry: number
}
