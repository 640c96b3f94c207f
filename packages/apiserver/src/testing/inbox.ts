import type { WatchSink } from '../watch/sink.ts'
import type { Seen } from './client.ts'

export interface SeenEvent {
  readonly type: string
  readonly object: Seen
}

/**
 * The client's end of a watch. It takes what it is sent at once, unless it is told to stop reading: then bytes pile up as they do in
 * front of a client that hangs.
 */
export class Inbox implements WatchSink {
  readonly chunks: Buffer[] = []
  readonly #gone = new AbortController()
  #isReading = true
  #unread = 0
  #isEnded = false
  #onDrained: (() => void)[] = []

  /** Aborted when the client goes away. */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  /** Whether the server has ended the stream. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8')
  }

  get lines(): readonly string[] {
    return this.text.split('\n').slice(0, -1)
  }

  get events(): readonly SeenEvent[] {
    return this.lines.map((line) => JSON.parse(line) as SeenEvent)
  }

  /** `ADDED a`, `DELETED b`: events in short. Bookmarks have no name. */
  get summary(): readonly string[] {
    return this.events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim())
  }

  /** Resource versions, in the order they came. */
  get revisions(): readonly number[] {
    return this.events.map(({ object }) => Number(object.metadata.resourceVersion))
  }

  stopReading(): void {
    this.#isReading = false
  }

  readOn(): void {
    this.#isReading = true
    this.#unread = 0
    for (const resolve of this.#onDrained.splice(0)) resolve()
  }

  /** The client closes the connection. */
  leave(): void {
    this.#gone.abort()
    this.readOn()
  }

  write(chunk: Buffer): boolean {
    if (this.#isEnded) throw new Error('the server wrote behind the end of a watch')
    this.chunks.push(chunk)
    if (!this.#isReading) this.#unread += chunk.length
    return this.#isReading
  }

  buffered(): number {
    return this.#unread
  }

  drained(): Promise<void> {
    if (this.#isReading) return Promise.resolve()
    return new Promise((resolve) => this.#onDrained.push(resolve))
  }

  end(): void {
    this.#isEnded = true
  }
}
