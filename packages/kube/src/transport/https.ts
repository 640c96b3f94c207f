import { abortReason, orAborted } from './abort.ts'
import { closedError, connectionError, loginCode } from './connection-problem.ts'
import { type Connections, openConnections } from './connections.ts'
import { anonymous, type Credentials, type Identity } from './credentials.ts'
import { exchange, exchangeStream, type Sent } from './exchange.ts'
import { ConnectionError, type Transport, type TransportRequest, type TransportResponse, type TransportStream } from './transport.ts'

/** How to reach a server, and who asks. What a kubeconfig says, as a value. */
export interface TransportOptions {
  /** `https://127.0.0.1:6443`, perhaps with a path that every request begins with; `http://` too. */
  readonly server: string
  /** PEM of the authorities to trust; those of the system unless told. */
  readonly ca?: string
  /** The name to expect in the server's certificate, where it is not the one in the address. */
  readonly serverName?: string
  /** Talk to whoever answers. */
  readonly isInsecure?: boolean
  /** Address of a proxy to go through: `http://`, `https://` or `socks5://`. */
  readonly proxy?: string
  /** Anonymous without them. */
  readonly credentials?: Credentials
  /** Connections for requests, at once; 32 unless told. Watches have connections of their own. */
  readonly maxConnections?: number
  /** Milliseconds for a connection to be made, TLS included; 10 s unless told. */
  readonly connectTimeout?: number
}

const defaultMaxConnections = 32

/**
 * The way to a Kubernetes API over the network.
 *
 * HTTP/1.1: a connection per watch costs less than sharing one, whose window one slow reader would fill for all. Opens nothing before the
 * first request.
 */
export class HttpsTransport implements Transport {
  readonly host: string
  readonly #options: TransportOptions
  readonly #origin: string
  readonly #prefix: string
  readonly #credentials: Credentials
  readonly #retired = new Set<Promise<Connections>>()
  #current: { readonly identity: Identity; readonly connections: Promise<Connections> } | undefined
  #isClosed = false

  constructor(options: TransportOptions) {
    const url = new URL(options.server)
    this.#options = options
    this.#origin = url.origin
    this.#prefix = url.pathname.replace(/\/+$/, '')
    this.#credentials = options.credentials ?? anonymous
    this.host = url.host
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#asSomebody(request, ({ requests }, sent) => exchange(requests, sent, request.signal))
  }

  stream(request: TransportRequest): Promise<TransportStream> {
    return this.#asSomebody(
      request,
      ({ streams }, sent) => exchangeStream(streams, sent, request.signal, (error) => this.#explain(error)),
      ({ chunks }) => leave(chunks),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const all = [...this.#retired, ...(this.#current === undefined ? [] : [this.#current.connections])]
    this.#current = undefined
    this.#retired.clear()
    await Promise.all(all.map(async (connections) => (await connections).destroy(this.host)))
  }

  /** A server that does not know who asks is asked once more if there is another identity by now. */
  async #asSomebody<Answer extends { readonly status: number }>(
    request: TransportRequest,
    ask: (connections: Connections, sent: Sent) => Promise<Answer>,
    drop?: (answer: Answer) => void,
  ): Promise<Answer> {
    const identity = await this.#identity(request.signal)
    const answer = await this.#askAs(identity, request, ask)
    if (answer.status !== 401 || this.#credentials.refused?.(identity) !== true) return answer
    const another = await this.#identity(request.signal)
    if (another === identity) return answer
    drop?.(answer)
    return this.#askAs(another, request, ask)
  }

  async #askAs<Answer>(
    identity: Identity,
    request: TransportRequest,
    ask: (connections: Connections, sent: Sent) => Promise<Answer>,
  ): Promise<Answer> {
    const connections = await this.#connectionsOf(identity)
    if (request.signal?.aborted === true) throw abortReason(request.signal)
    try {
      return await ask(connections, this.#sent(request, identity))
    } catch (error) {
      throw this.#explain(error, request.signal)
    }
  }

  async #identity(signal: AbortSignal | undefined): Promise<Identity> {
    try {
      return await orAborted(Promise.resolve(this.#credentials.identity()), signal)
    } catch (error) {
      if (signal?.aborted === true) throw abortReason(signal)
      const why = error instanceof Error ? error.message : String(error)
      throw new ConnectionError(`${this.#options.server} was not asked: ${why}`, loginCode, { cause: error })
    }
  }

  #sent({ method, path, headers, body }: TransportRequest, identity: Identity): Sent {
    return {
      origin: this.#origin,
      method,
      path: `${this.#prefix}${path}`,
      headers: { ...headers, ...mutable(identity.headers) },
      ...(body === undefined ? {} : { body }),
    }
  }

  /** Connections are somebody's where a client certificate says whose: another certificate needs others. */
  #connectionsOf(identity: Identity): Promise<Connections> {
    if (this.#isClosed) return Promise.reject(closedError(this.host))
    const current = this.#current
    if (current !== undefined && showsTheSame(current.identity, identity)) return current.connections
    if (current !== undefined) this.#retire(current.connections)
    const { server: _server, credentials: _credentials, maxConnections = defaultMaxConnections, ...rest } = this.#options
    const { certificate, key } = identity
    const connections = openConnections({
      ...rest,
      origin: this.#origin,
      maxConnections,
      ...(certificate === undefined ? {} : { certificate }),
      ...(key === undefined ? {} : { key }),
    })
    this.#current = { identity, connections }
    return connections
  }

  #retire(connections: Promise<Connections>): void {
    this.#retired.add(connections)
    const finish = async (): Promise<void> => {
      await (await connections).retire()
      this.#retired.delete(connections)
    }
    void finish()
  }

  #explain(error: unknown, signal?: AbortSignal): Error {
    if (signal?.aborted === true) return abortReason(signal)
    return connectionError(error, this.#options.server, this.#options.proxy)
  }
}

function showsTheSame(a: Identity, b: Identity): boolean {
  return a === b || (a.certificate === b.certificate && a.key === b.key)
}

function leave(chunks: AsyncIterable<Buffer>): void {
  void chunks[Symbol.asyncIterator]().return?.()
}

/** undici's types want lists that could be changed, though it does not change them. */
function mutable(headers: Identity['headers']): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) result[name] = typeof value === 'string' ? value : [...value]
  }
  return result
}
