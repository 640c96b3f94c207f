import { ConnectionError } from '../transport/transport.ts'
import type { WatchEvent } from './client.ts'
import { ApiError } from './errors.ts'
import { asStatus } from './refusal.ts'

const newline = 0x0a
/** Many times the largest object that a server takes. What is longer is no event. */
const longestLine = 64 * 1024 * 1024

/** Strings up to here are made four times as fast as longer ones, for which memory is mapped one by one. */
const pieceLength = 64 * 1024

/** The last end of a line that still fits in a piece; of one line that does not fit, its end. */
function endOfPiece(chunk: Buffer, start: number, end: number): number {
  if (end - start <= pieceLength) return end
  const cut = chunk.lastIndexOf(newline, start + pieceLength)
  return cut > start ? cut : chunk.indexOf(newline, start + pieceLength)
}

/**
 * Turns the bytes of a watch into events. They come cut anywhere, in the middle of a line or of a character; what is incomplete waits for
 * the rest, and is dropped with the decoder when there is none.
 */
export class EventDecoder<T> {
  readonly #request: string
  readonly #read: (line: string) => unknown
  #incomplete: Buffer[] = []
  #incompleteLength = 0

  /** `read` makes values of lines, as `JSON.parse` does. */
  constructor(request: string, read: (line: string) => unknown = JSON.parse) {
    this.#request = request
    this.#read = read
  }

  /** Events that are complete by now, and the error that stands behind them if one came. */
  decode(chunk: Buffer): { readonly events: readonly WatchEvent<T>[]; readonly error: Error | undefined } {
    const end = chunk.lastIndexOf(newline)
    if (end < 0) {
      this.#keep(chunk)
      const error = this.#incompleteLength > longestLine ? this.#noEvent('a line without an end') : undefined
      return { events: [], error }
    }
    const events: WatchEvent<T>[] = []
    let error: Error | undefined
    for (let start = 0; start <= end && error === undefined;) {
      const cut = endOfPiece(chunk, start, end)
      error = this.#parseLines(this.#complete(chunk.subarray(start, cut)), events)
      start = cut + 1
    }
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1))
    return { events, error }
  }

  /** Adds the events of whole lines, up to the first that is none. */
  #parseLines(text: string, events: WatchEvent<T>[]): Error | undefined {
    for (let start = 0; start < text.length;) {
      const next = text.indexOf('\n', start)
      const end = next < 0 ? text.length : next
      const event = this.#parse(text.slice(start, end))
      if (event instanceof Error) return event
      if (event !== undefined) events.push(event)
      start = end + 1
    }
    return undefined
  }

  #parse(line: string): WatchEvent<T> | Error | undefined {
    if (line.length === 0) return undefined
    let event: { readonly type?: unknown; readonly object?: unknown } | null
    try {
      event = this.#read(line) as { readonly type?: unknown; readonly object?: unknown } | null
    } catch {
      return this.#noEvent(line)
    }
    switch (event?.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
      case 'BOOKMARK':
        return event as WatchEvent<T>
      case 'ERROR': {
        const status = asStatus(event.object)
        return status === undefined ? this.#noEvent(line) : new ApiError(status, this.#request)
      }
      default:
        return this.#noEvent(line)
    }
  }

  #keep(chunk: Buffer): void {
    this.#incomplete.push(chunk)
    this.#incompleteLength += chunk.length
  }

  #complete(chunk: Buffer): string {
    if (this.#incomplete.length === 0) return chunk.toString('utf8')
    const text = Buffer.concat([...this.#incomplete, chunk]).toString('utf8')
    this.#incomplete = []
    this.#incompleteLength = 0
    return text
  }

  #noEvent(line: string): ConnectionError {
    const message = `${this.#request} was answered with something that is no event: ${line.slice(0, 100)}; check for a proxy that changes answers`
    return new ConnectionError(message, '')
  }
}
