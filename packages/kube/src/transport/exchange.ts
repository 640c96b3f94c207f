import type { Dispatcher } from 'undici'
import { abortReason } from './abort.ts'
import { ChunkQueue } from './chunk-queue.ts'
import type { TransportResponse, TransportStream } from './transport.ts'

type Controller = Dispatcher.DispatchController
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/** What goes on the wire. */
export type Sent = Dispatcher.DispatchOptions & { readonly origin: string }

/**
 * One request and its answer. undici calls it as things happen; that is half the cost of its streams.
 *
 * An abort is told to the caller at once, even while the request waits for a connection: undici only learns of it when it would send it.
 */
abstract class Exchange implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal | undefined
  readonly #onAbort = (): void => {
    if (this.#signal !== undefined) this.#abort(abortReason(this.#signal))
  }
  #controller: Controller | undefined
  /** Why it is over, when it ended before the answer did. */
  #cut: Error | undefined

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  protected abstract started(status: number, headers: Record<string, string>): void
  /** False when no more should come for a while. */
  protected abstract received(chunk: Buffer): boolean
  protected abstract ended(): void
  protected abstract failed(error: Error): void

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#cut !== undefined) controller.abort(this.#cut)
  }

  onResponseStart(_controller: Controller, status: number, headers: Headers): void {
    // 103 and the like: the answer is still to come.
    if (status >= 200) this.started(status, flatten(headers))
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (!this.received(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.#release()
    this.ended()
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    this.#release()
    if (this.#cut === undefined) this.failed(error)
  }

  /** The caller wants no more of it. */
  protected leave(): void {
    this.#end(new Error('the reader has left'))
  }

  protected resume(): void {
    this.#controller?.resume()
  }

  #abort(reason: Error): void {
    if (this.#cut !== undefined) return
    this.#end(reason)
    this.failed(reason)
  }

  #end(reason: Error): void {
    if (this.#cut !== undefined) return
    this.#cut = reason
    this.#release()
    this.#controller?.abort(reason)
  }

  #release(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}

class WholeAnswer extends Exchange {
  readonly #resolve: (answer: TransportResponse) => void
  readonly #reject: (error: Error) => void
  readonly #chunks: Buffer[] = []
  #status = 0
  #headers: Record<string, string> = {}

  constructor(signal: AbortSignal | undefined, resolve: (answer: TransportResponse) => void, reject: (error: Error) => void) {
    super(signal)
    this.#resolve = resolve
    this.#reject = reject
  }

  protected override started(status: number, headers: Record<string, string>): void {
    this.#status = status
    this.#headers = headers
  }

  protected override received(chunk: Buffer): boolean {
    this.#chunks.push(chunk)
    return true
  }

  protected override ended(): void {
    const [only] = this.#chunks
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks)
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  protected override failed(error: Error): void {
    this.#reject(error)
  }
}

class StreamedAnswer extends Exchange {
  readonly #resolve: (answer: TransportStream) => void
  readonly #reject: (error: Error) => void
  readonly #explain: (error: Error) => Error
  readonly #signal: AbortSignal | undefined
  readonly #queue = new ChunkQueue({ onDrained: () => this.resume(), onLeft: () => this.leave() })

  constructor(
    signal: AbortSignal | undefined,
    explain: (error: Error) => Error,
    resolve: (answer: TransportStream) => void,
    reject: (error: Error) => void,
  ) {
    super(signal)
    this.#signal = signal
    this.#explain = explain
    this.#resolve = resolve
    this.#reject = reject
  }

  protected override started(status: number, headers: Record<string, string>): void {
    this.#resolve({ status, headers, chunks: this.#queue })
  }

  protected override received(chunk: Buffer): boolean {
    return this.#queue.push(chunk)
  }

  protected override ended(): void {
    this.#queue.end()
  }

  protected override failed(error: Error): void {
    this.#reject(error)
    if (this.#signal?.aborted === true) this.#queue.abort(error)
    else this.#queue.fail(this.#explain(error))
  }
}

/** The whole answer. */
export function exchange(dispatcher: Dispatcher, sent: Sent, signal: AbortSignal | undefined): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(sent, new WholeAnswer(signal, resolve, reject))
  })
}

/** The answer as it comes. `explain` makes errors in the middle of it fit for the caller. */
export function exchangeStream(
  dispatcher: Dispatcher,
  sent: Sent,
  signal: AbortSignal | undefined,
  explain: (error: Error) => Error,
): Promise<TransportStream> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(sent, new StreamedAnswer(signal, explain, resolve, reject))
  })
}

function flatten(headers: Headers): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return flat
}
