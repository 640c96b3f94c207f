import {
  ConnectionError,
  LinkedAbort,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
} from '@windlass/kube'

/** A transport whose streams can be cut, and held back until they may go on: so that many changes wait when they do. */
export class PausableTransport implements Transport {
  readonly host: string
  readonly #inner: Transport
  #gate = Promise.withResolvers<void>()
  #streams: LinkedAbort[] = []

  constructor(inner: Transport) {
    this.host = inner.host
    this.#inner = inner
    this.#gate.resolve()
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#inner.send(request)
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    await this.#gate.promise
    const link = new LinkedAbort(request.signal)
    this.#streams.push(link)
    return this.#inner.stream({ ...request, signal: link.signal })
  }

  pause(): void {
    this.#gate = Promise.withResolvers()
    for (const link of this.#streams) link.abort(new ConnectionError('paused', 'ECONNRESET'))
    this.#streams = []
  }

  resume(): void {
    this.#gate.resolve()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}
