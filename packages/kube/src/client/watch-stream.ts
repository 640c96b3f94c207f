import type { OpenStream } from './caller.ts'
import type { Watch, WatchEvent } from './client.ts'
import { EventDecoder } from './event-decoder.ts'
import { eventWithoutManagedFields } from './managed-fields.ts'

/** A watch that the server has begun. It may be iterated once. */
export class WatchStream<T> implements Watch<T> {
  readonly #stream: OpenStream
  readonly #decoder: EventDecoder<T>
  #isLeft = false

  constructor(stream: OpenStream, request: string, omitsManagedFields = false) {
    this.#stream = stream
    this.#decoder = new EventDecoder(request, omitsManagedFields ? eventWithoutManagedFields : JSON.parse)
  }

  close(): void {
    this.#isLeft = true
    this.#stream.link.abort(new Error('the watch was left'))
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WatchEvent<T>[]> {
    const { chunks, link } = this.#stream
    try {
      for await (const chunk of chunks) {
        const { events, error } = this.#decoder.decode(chunk)
        if (events.length > 0) yield events
        if (error !== undefined) throw error
      }
    } catch (error) {
      // Who closes a watch has not failed; the abort is only how the connection learns of it.
      if (!this.#isLeft) throw error
    } finally {
      link.release()
    }
  }
}
