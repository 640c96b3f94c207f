import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { TLSSocket } from 'node:tls'
import { createGzip } from 'node:zlib'
import type { Clock } from '@windlass/core'
import { clientCertificate } from '../auth/index.ts'
import { ApiError } from '../errors/api-error.ts'
import type { ApiRequest, ApiResponse } from '../server/request.ts'
import type { ApiServer } from '../server/server.ts'
import type { WatchSink } from '../watch/sink.ts'
import { shouldCompress } from '../wire/index.ts'
import { bodiless } from './go-ahead.ts'
import { Turns } from './turns.ts'

/** What the HTTP layer needs of a server. */
export type Api = Pick<ApiServer, 'handle' | 'refuse'>

export type Incoming = IncomingMessage | Http2ServerRequest
export type Outgoing = ServerResponse | Http2ServerResponse

const bodyLimit = 3 * 1024 * 1024
/** A client that takes longer to read a list is cut off: it holds a seat that others wait for. */
const longestAnswer = 60_000
/** Clients that send more than this are cut off. */
const patience = 16 * bodyLimit

/** Of the event loop, which all servers of a process share. How many is from a few short measurements: `bench/README.md` has them. */
const turnsOfWrites = new Turns(2)

/** One request and its answer, from and to a socket. */
export async function exchange(api: Api, incoming: Incoming, outgoing: Outgoing, clock: Clock, isClosing: () => boolean): Promise<void> {
  const departure = new Departure(outgoing)
  try {
    const request = await readRequest(incoming)
    const response = request === undefined ? api.refuse(tooLarge()) : await api.handle(request)
    try {
      if (departure.hasHappened) return
      const common = isClosing() && incoming.httpVersionMajor === 1 ? { connection: 'close' } : {}
      await respond(incoming, outgoing, response, common, departure, clock)
    } finally {
      response.release?.()
    }
  } catch (error) {
    if (departure.hasHappened) return
    const refusal = api.refuse(error)
    // Half an answer cannot be taken back: the client must notice that it is not whole.
    if (outgoing.headersSent) outgoing.destroy()
    else await respond(incoming, outgoing, refusal, {}, departure, clock)
  }
}

/**
 * Whether the client has left before its answer was complete. Only answers that take a while need a signal for it: making one, and aborting it with an error
 * that has a stack, costs a tenth of what a GET does.
 */
class Departure {
  hasHappened = false
  #controller: AbortController | undefined

  constructor(outgoing: Outgoing) {
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) this.#happen()
    })
    outgoing.on('error', () => this.#happen())
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.hasHappened) this.#controller.abort()
    return this.#controller.signal
  }

  #happen(): void {
    this.hasHappened = true
    this.#controller?.abort()
  }
}

function tooLarge(): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`)
}

/** Undefined when the body is larger than any request may be. */
async function readRequest(incoming: Incoming): Promise<ApiRequest | undefined> {
  const method = incoming.method ?? 'GET'
  const certificate = identityOf(incoming)
  const base = {
    method,
    url: incoming.url ?? '/',
    headers: flatten(incoming.headers),
    rawHeaders: incoming.rawHeaders,
    ...(certificate === undefined ? {} : { certificate }),
  }
  if (bodiless.has(method)) return base
  const body = await readBody(incoming)
  const turn = turnsOfWrites.take()
  if (turn !== undefined) await turn
  return body === undefined ? undefined : { ...base, body }
}

export function flatten(headers: Incoming['headers']): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {}
  for (const name in headers) {
    if (name.startsWith(':')) continue
    const value = headers[name]
    flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** What is too large is read to its end all the same, and thrown away: clients send first and listen afterwards. */
function readBody(incoming: Incoming): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyLimit) chunks.push(chunk)
      else if (size > patience) {
        resolve(undefined)
        incoming.destroy()
      }
    })
    incoming.once('end', () => {
      const [only] = chunks
      if (size > bodyLimit) resolve(undefined)
      else resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
    })
    incoming.once('error', reject)
    // It closes after every request, too; an error with its stack would cost as much as reading the body did.
    incoming.once('close', () => {
      if (!incoming.readableEnded) reject(new Error('the client went away before its request was complete'))
    })
  })
}

/** Reading a certificate is slow and a connection has only one. */
const identities = new WeakMap<object, ApiRequest['certificate'] | null>()

export function identityOf(incoming: Incoming): ApiRequest['certificate'] {
  const socket = 'stream' in incoming ? incoming.stream.session?.socket : incoming.socket
  if (socket === undefined) return undefined
  const known = identities.get(socket)
  if (known !== undefined) return known ?? undefined
  const identity = socket instanceof TLSSocket || 'getPeerCertificate' in socket ? clientCertificate(socket as TLSSocket) : undefined
  identities.set(socket, identity ?? null)
  return identity
}

async function respond(
  incoming: Incoming,
  outgoing: Outgoing,
  response: ApiResponse,
  common: OutgoingHttpHeaders,
  departure: Departure,
  clock: Clock,
): Promise<void> {
  const { status, body, watch } = response
  const headers = headersOf(response, common)
  if (watch !== undefined) {
    await stream(outgoing, status, headers, watch, departure.signal)
    return
  }
  const size = body === undefined ? 0 : Buffer.isBuffer(body) ? body.length : Number.POSITIVE_INFINITY
  const isZipped = shouldCompress(header(incoming, 'accept-encoding'), size)
  if (isZipped) {
    headers['content-encoding'] = 'gzip'
    headers.vary = 'Accept-Encoding'
  } else if (size !== Number.POSITIVE_INFINITY) headers['content-length'] = size
  output(outgoing).writeHead(status, headers)
  if (!isZipped && (body === undefined || Buffer.isBuffer(body))) {
    output(outgoing).end(body)
    return
  }
  const cancel = clock.after(longestAnswer, () => outgoing.destroy())
  try {
    await sendPieces(outgoing, body ?? [], isZipped, departure.signal)
  } finally {
    cancel()
  }
}

/** All at once, for `writeHead`: setting them one by one costs as much again as sending them. */
function headersOf(response: ApiResponse, common: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { ...common }
  for (const name in response.headers) {
    const value = response.headers[name]
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : [...value]
  }
  return headers
}

/** What both kinds of response have in common, with one signature: TypeScript sees only how their overloads differ. */
interface Output {
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown
  flushHeaders(): void
  write(chunk: Buffer, done?: (error?: Error | null) => void): boolean
  end(chunk?: Buffer): unknown
}

const output = (outgoing: Outgoing): Output => outgoing as unknown as Output

function header(incoming: Incoming, name: string): string | undefined {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Sends a body as it is made, no faster than the client takes it. A whole one may be somebody else's: a document that is sent again and again, or an object
 * that is stored.
 */
async function sendPieces(outgoing: Outgoing, body: Buffer | Iterable<Buffer>, isZipped: boolean, signal: AbortSignal): Promise<void> {
  const isWhole = Buffer.isBuffer(body)
  const gzip = isZipped ? createGzip({ level: 1 }) : undefined
  gzip?.pipe(outgoing as NodeJS.WritableStream)
  for (const piece of isWhole ? [body] : body) {
    // Of a write that failed it is not certain that nobody reads it any more.
    const done = (error?: Error | null): void => {
      if (!isWhole && (error === undefined || error === null)) free(piece)
    }
    const isReady = gzip === undefined ? output(outgoing).write(piece, done) : gzip.write(piece, done)
    if (!isReady) await drained(gzip ?? outgoing, signal)
    if (signal.aborted) return
  }
  if (gzip === undefined) output(outgoing).end()
  else gzip.end()
}

/**
 * Gives the memory of a piece that was sent back at once. Left to the garbage collector, megabytes of each list would stay until it looks, which it does
 * when 64 MB of buffers have come.
 */
function free({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0)
}

function drained(stream: NodeJS.EventEmitter, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.removeListener('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    if (signal.aborted) {
      resolve()
      return
    }
    stream.once('drain', done)
    signal.addEventListener('abort', done, { once: true })
  })
}

async function stream(
  outgoing: Outgoing,
  status: number,
  headers: OutgoingHttpHeaders,
  watch: NonNullable<ApiResponse['watch']>,
  signal: AbortSignal,
): Promise<void> {
  const out = output(outgoing)
  out.writeHead(status, headers)
  out.flushHeaders()
  const sink: WatchSink = {
    write: (chunk) => !signal.aborted && out.write(chunk),
    buffered: () => ('stream' in outgoing ? (outgoing.stream?.writableLength ?? 0) : outgoing.writableLength),
    drained: () => drained(outgoing, signal),
    end: () => {
      if (!signal.aborted) out.end()
    },
  }
  await watch(sink, signal)
  await flushed(outgoing, signal)
}

/** The end of a watch is part of it: a server that stops waits for it to leave. */
function flushed(outgoing: Outgoing, signal: AbortSignal): Promise<void> {
  if (outgoing.writableFinished || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    outgoing.once('finish', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
