import type { WatchSink } from '@windlass/apiserver'
import { until } from '../support/until.ts'
import { type Item, read } from './item.ts'

export interface SeenEvent {
  readonly type: string
  readonly item: Item
  /** Of an error. */
  readonly code?: number
}

/** The client's end of a watch, through all the connections it takes. */
export class WatchInbox implements WatchSink {
  readonly events: SeenEvent[] = []
  readonly #path: string
  #last: number | undefined
  #gone = new AbortController()
  #isEnded = false

  /** `path` with its query, without a revision to start from; `from` is where it starts the first time. */
  constructor(path: string, from?: number) {
    this.#path = path
    this.#last = from
  }

  /** Called for each connection. */
  open(): { readonly url: string; readonly signal: AbortSignal } {
    this.#gone = new AbortController()
    this.#isEnded = false
    return { url: `${this.#path}&watch=true&resourceVersion=${this.last}`, signal: this.#gone.signal }
  }

  /** From here on it goes on behind `revision`: the state that a watch begins with is in no order of revisions. */
  continueFrom(revision: number): void {
    this.#last = revision
  }

  get last(): number {
    return this.#last ?? 0
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  leave(): void {
    this.#gone.abort()
  }

  /** So many events have come, or the server has ended the watch. */
  async caughtUp(count: number): Promise<void> {
    await until(`event ${count} of ${this.#path}`, () => this.events.length >= count || this.#isEnded, 5000)
  }

  write(chunk: Buffer): boolean {
    if (this.#isEnded) throw new Error('the server wrote behind the end of a watch')
    for (const line of chunk.toString('utf8').split('\n')) if (line !== '') this.#note(line)
    return true
  }

  buffered(): number {
    return 0
  }

  drained(): Promise<void> {
    return Promise.resolve()
  }

  end(): void {
    this.#isEnded = true
  }

  #note(line: string): void {
    const { type, object } = JSON.parse(line) as { type: string; object: { code?: number } }
    if (type === 'ERROR') {
      this.events.push({ type, item: {} as Item, ...(object.code === undefined ? {} : { code: object.code }) })
      return
    }
    const item = read(object)
    this.#last = item.revision
    this.events.push({ type, item })
  }
}
