import type { Clock } from '@windlass/core'
import { LinkedAbort } from '../../transport/abort.ts'
import {
  ConnectionError,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type TransportStream,
} from '../../transport/transport.ts'

/** A way to a server on which things go wrong when a test says so. */
export class TroubledTransport implements Transport {
  readonly host = 'troubled'
  /** Lists and watches that were asked for: `list resourceVersion=0 limit=500`. */
  readonly asked: string[] = []
  /** Nobody answers. */
  isDown = false
  /** How long every answer takes, in milliseconds. */
  latency = 0
  readonly #inner: Transport
  readonly #clock: Clock
  readonly #refusals: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly isStream: boolean }[] = []
  readonly #streams = new Set<LinkedAbort>()

  constructor(inner: Transport, clock: Clock) {
    this.#inner = inner
    this.#clock = clock
  }

  /** The next request is refused; with `isStream` the next that asks for the initial state as a stream. */
  refuse(
    status: number,
    { headers = {}, isStream = false }: { headers?: Readonly<Record<string, string>>; isStream?: boolean } = {},
  ): void {
    this.#refusals.push({ status, headers, isStream })
  }

  /** All streams break off. */
  cut(): void {
    for (const stream of this.#streams) stream.abort(new ConnectionError('the connection was reset', 'ECONNRESET'))
    this.#streams.clear()
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    return (await this.#meetTrouble(request)) ?? this.#inner.send(request)
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const refusal = await this.#meetTrouble(request)
    if (refusal !== undefined) return { ...refusal, chunks: oneChunk(refusal.body) }
    const abort = new LinkedAbort(request.signal)
    this.#streams.add(abort)
    return this.#inner.stream({ ...request, signal: abort.signal })
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  async #meetTrouble({ method, path, signal }: TransportRequest): Promise<TransportResponse | undefined> {
    const query = new URLSearchParams(path.slice(path.indexOf('?') + 1))
    if (method === 'GET') this.asked.push(summary(query))
    if (this.latency > 0) await this.#clock.sleep(this.latency, signal)
    if (this.isDown) throw new ConnectionError('connection refused', 'ECONNREFUSED')
    const index = this.#refusals.findIndex(({ isStream }) => !isStream || query.has('sendInitialEvents'))
    if (index < 0) return undefined
    const [{ status, headers } = { status: 500, headers: {} }] = this.#refusals.splice(index, 1)
    const body = Buffer.from(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, message: 'trouble' }))
    return { status, headers, body }
  }
}

function summary(query: URLSearchParams): string {
  const verb = query.has('sendInitialEvents') ? 'stream' : query.has('watch') ? 'watch' : 'list'
  const details = ['resourceVersion', 'limit'].flatMap((name) => (query.has(name) ? [`${name}=${query.get(name)}`] : []))
  return [verb, ...details, ...(query.has('continue') ? ['continued'] : [])].join(' ')
}

// oxlint-disable-next-line typescript/require-await
async function* oneChunk(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk
}
