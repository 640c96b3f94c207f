import { abortReason, LinkedAbort, orAborted } from './abort.ts'
import { closedError } from './connection-problem.ts'
import { pieces, watchedBody, watchedChunks, wholeBody } from './in-process-body.ts'
import type { Transport, TransportRequest, TransportResponse, TransportStream } from './transport.ts'

/** Who asks: callers in the same process vouch for it. */
export interface InProcessUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export interface InProcessRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: Buffer
  readonly user?: InProcessUser
  readonly signal?: AbortSignal
}

export interface InProcessResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body?: Buffer | Iterable<Buffer>
  /** To be called when a body that is made while it is read was read, or will not be. */
  readonly release?: () => void
  /** Set instead of a body: writes events until the watch ends. */
  readonly watch?: (sink: InProcessSink, signal: AbortSignal) => Promise<void>
}

export interface InProcessSink {
  write(chunk: Buffer): boolean
  buffered(): number
  drained(): Promise<void>
  end(): void
}

/** A whole API server as a function. `ApiServer.handle` of the embedded server is one. */
export type Handle = (request: InProcessRequest) => Promise<InProcessResponse>

export interface InProcessOptions {
  /** Anonymous without it, unless requests carry an `authorization` header. */
  readonly user?: InProcessUser
  /** What every path begins with: `/clusters/<name>` leads to a logical cluster. */
  readonly prefix?: string
  /** In metrics and messages; `in-process` unless told. */
  readonly host?: string
}

/**
 * The way to a server in the same process: a function call. It waits for promises and nothing else, so that in virtual time every run
 * takes the same steps.
 */
export function inProcessTransport(handle: Handle, options: InProcessOptions = {}): Transport {
  return new InProcessTransport(handle, options)
}

class InProcessTransport implements Transport {
  readonly host: string
  readonly #handle: Handle
  readonly #user: { readonly user?: InProcessUser }
  readonly #prefix: string
  readonly #open = new Set<LinkedAbort>()
  #isClosed = false

  constructor(handle: Handle, { user, prefix = '', host = 'in-process' }: InProcessOptions) {
    this.#handle = handle
    this.#user = user === undefined ? {} : { user }
    this.#prefix = prefix.replace(/\/+$/, '')
    this.host = host
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const abort = this.#begin(request)
    try {
      const response = await this.#call(request, abort)
      const body = response.watch === undefined ? wholeBody(response) : await watchedBody(response.watch, abort)
      return { status: response.status, headers: flatten(response.headers), body }
    } finally {
      this.#end(abort)
    }
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const abort = this.#begin(request)
    try {
      const response = await this.#call(request, abort)
      if (abort.signal.aborted) throw unread(response, abort.signal)
      const { status, watch } = response
      const end = (): void => this.#end(abort)
      const chunks = watch === undefined ? pieces(response, abort, end) : watchedChunks(watch, abort, end)
      return { status, headers: flatten(response.headers), chunks }
    } catch (error) {
      this.#end(abort)
      throw error
    }
  }

  close(): Promise<void> {
    this.#isClosed = true
    for (const abort of this.#open) abort.abort(closedError(this.host))
    this.#open.clear()
    return Promise.resolve()
  }

  #begin({ signal }: TransportRequest): LinkedAbort {
    if (this.#isClosed) throw closedError(this.host)
    if (signal?.aborted === true) throw abortReason(signal)
    const abort = new LinkedAbort(signal)
    this.#open.add(abort)
    return abort
  }

  #end(abort: LinkedAbort): void {
    abort.release()
    this.#open.delete(abort)
  }

  #call({ method, path, headers = {}, body }: TransportRequest, { signal }: LinkedAbort): Promise<InProcessResponse> {
    const bytes = body === undefined ? {} : { body: typeof body === 'string' ? Buffer.from(body) : asBuffer(body) }
    const answer = this.#handle({ method, url: `${this.#prefix}${path}`, headers, ...bytes, ...this.#user, signal })
    const releaseUnread = (response: InProcessResponse): void => {
      if (signal.aborted) unread(response, signal)
    }
    // Nobody reads an answer that comes after the abort, but it may hold a seat that others wait for.
    answer.then(releaseUnread, () => {})
    return orAborted(answer, signal)
  }
}

/** Gives back what an answer holds that nobody will read; the error says why. */
function unread({ release }: InProcessResponse, signal: AbortSignal): Error {
  release?.()
  return abortReason(signal)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function flatten(headers: InProcessResponse['headers']): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return flat
}
