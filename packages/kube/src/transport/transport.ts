/**
 * One way to a Kubernetes API. Everything above it (client, caches, controllers) is the same whatever is below: HTTPS to a cluster,
 * or a function call in the same process.
 */
export interface Transport {
  /** Names the server in metrics and messages: `127.0.0.1:6443`. */
  readonly host: string
  /** The whole answer, whatever its status. Rejects with a `ConnectionError` when there is none, or with the signal's reason. */
  send(request: TransportRequest): Promise<TransportResponse>
  /** An answer that is read as it comes: watches, and lists too long to hold. */
  stream(request: TransportRequest): Promise<TransportStream>
  /** Ends connections. Requests that run fail. */
  close(): Promise<void>
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with its query, encoded: `/api/v1/pods?limit=500`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}

export interface TransportResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

export interface TransportStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /**
   * Pieces of the body, cut anywhere. Ends when the server ends it, throws a `ConnectionError` when the connection breaks. Leaving the loop
   * ends the request.
   */
  readonly chunks: AsyncIterable<Buffer>
}

/** Thrown when a request got no answer, so that nobody knows whether the server has seen it. */
export class ConnectionError extends Error {
  /** Such as `ECONNREFUSED`; empty when there is no code for it. */
  readonly code: string

  constructor(message: string, code: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ConnectionError'
    this.code = code
  }

  /** The server cannot have seen the request: it is safe to send it again, whatever it does. */
  get isUnsent(): boolean {
    return this.code === 'ECONNREFUSED' || this.code === 'ENOTFOUND' || this.code === 'EAI_AGAIN' || this.code === 'UND_ERR_CONNECT_TIMEOUT'
  }
}
