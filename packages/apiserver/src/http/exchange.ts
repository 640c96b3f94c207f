import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { TLSSocket } from 'node:tls'
import { createGzip } from 'node:zlib'
import { clientCertificate } from '../auth/index.ts'
import { ApiError } from '../errors/api-error.ts'
import type { ApiRequest, ApiResponse } from '../server/request.ts'
import type { ApiServer } from '../server/server.ts'
import type { WatchSink } from '../watch/sink.ts'
import { shouldCompress } from '../wire/index.ts'

export type Incoming = IncomingMessage | Http2ServerRequest
export type Outgoing = ServerResponse | Http2ServerResponse

const bodyLimit = 3 * 1024 * 1024
/** Clients that send more than this are cut off. */
const patience = 16 * bodyLimit

/** One request and its answer, from and to a socket. */
export async function exchange(api: ApiServer, incoming: Incoming, outgoing: Outgoing, isClosing: () => boolean): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  outgoing.on('error', () => gone.abort())
  try {
    const request = await readRequest(incoming, gone.signal)
    const response = request === undefined ? api.refuse(tooLarge()) : await api.handle(request)
    if (gone.signal.aborted) return
    if (isClosing() && incoming.httpVersionMajor === 1) outgoing.setHeader('connection', 'close')
    await respond(incoming, outgoing, response, gone.signal)
  } catch (error) {
    if (gone.signal.aborted) return
    await respond(incoming, outgoing, api.refuse(error), gone.signal)
  }
}

function tooLarge(): ApiError {
  return new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`)
}

/** Undefined when the body is larger than any request may be. */
async function readRequest(incoming: Incoming, signal: AbortSignal): Promise<ApiRequest | undefined> {
  const method = incoming.method ?? 'GET'
  const certificate = identityOf(incoming)
  const base = {
    method,
    url: incoming.url ?? '/',
    headers: flatten(incoming.headers),
    rawHeaders: incoming.rawHeaders,
    signal,
    ...(certificate === undefined ? {} : { certificate }),
  }
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return base
  const body = await readBody(incoming)
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
async function readBody(incoming: Incoming): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
    else if (size > patience) return undefined
  }
  if (size > bodyLimit) return undefined
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
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

async function respond(incoming: Incoming, outgoing: Outgoing, response: ApiResponse, signal: AbortSignal): Promise<void> {
  const { status, headers, body, watch } = response
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) outgoing.setHeader(name, typeof value === 'string' ? value : [...value])
  }
  outgoing.statusCode = status
  if (watch !== undefined) {
    await stream(outgoing, watch, signal)
    return
  }
  if (body === undefined || Buffer.isBuffer(body)) {
    sendWhole(incoming, outgoing, body ?? Buffer.alloc(0))
    return
  }
  await sendPieces(incoming, outgoing, body, signal)
}

function sendWhole(incoming: Incoming, outgoing: Outgoing, body: Buffer): void {
  if (!shouldCompress(header(incoming, 'accept-encoding'), body.length)) {
    outgoing.setHeader('content-length', body.length)
    finish(outgoing, body)
    return
  }
  outgoing.setHeader('content-encoding', 'gzip')
  outgoing.setHeader('vary', 'Accept-Encoding')
  const gzip = createGzip({ level: 1 })
  gzip.pipe(outgoing as NodeJS.WritableStream)
  gzip.end(body)
}

/** What both kinds of response have in common, with one signature: TypeScript sees only how their overloads differ. */
interface Output {
  writeHead(status: number): unknown
  flushHeaders(): void
  write(chunk: Buffer): boolean
  end(chunk?: Buffer): unknown
}

const output = (outgoing: Outgoing): Output => outgoing as unknown as Output

function finish(outgoing: Outgoing, body?: Buffer): void {
  output(outgoing).end(body)
}

function put(outgoing: Outgoing, chunk: Buffer): boolean {
  return output(outgoing).write(chunk)
}

function header(incoming: Incoming, name: string): string | undefined {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Sends a body as it is made, no faster than the client takes it. */
async function sendPieces(incoming: Incoming, outgoing: Outgoing, pieces: Iterable<Buffer>, signal: AbortSignal): Promise<void> {
  const zip = shouldCompress(header(incoming, 'accept-encoding'), Number.POSITIVE_INFINITY)
  if (zip) {
    outgoing.setHeader('content-encoding', 'gzip')
    outgoing.setHeader('vary', 'Accept-Encoding')
  }
  const gzip = zip ? createGzip({ level: 1 }) : undefined
  gzip?.pipe(outgoing as NodeJS.WritableStream)
  for (const piece of pieces) {
    const isReady = gzip === undefined ? put(outgoing, piece) : gzip.write(piece)
    if (!isReady) await drained(gzip ?? outgoing, signal)
    if (signal.aborted) return
  }
  if (gzip === undefined) finish(outgoing)
  else gzip.end()
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

async function stream(outgoing: Outgoing, watch: NonNullable<ApiResponse['watch']>, signal: AbortSignal): Promise<void> {
  output(outgoing).writeHead(outgoing.statusCode)
  output(outgoing).flushHeaders()
  const sink: WatchSink = {
    write: (chunk) => !signal.aborted && put(outgoing, chunk),
    buffered: () => ('stream' in outgoing ? (outgoing.stream?.writableLength ?? 0) : outgoing.writableLength),
    drained: () => drained(outgoing, signal),
    end: () => {
      if (!signal.aborted) finish(outgoing)
    },
  }
  await watch(sink, signal)
}
