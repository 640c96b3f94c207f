import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { Problem } from './problem.ts'
import { type CertificateUser, certificateUser } from './sign-in/certificate.ts'

export type Incoming = IncomingMessage | Http2ServerRequest
export type Outgoing = ServerResponse | Http2ServerResponse

/** A request as a value. */
export interface Asked {
  readonly method: string
  /** Decoded, without what is empty: `/api/v1/fleet` is three. */
  readonly segments: readonly string[]
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** `127.0.0.1:8080`, as the browser calls this server. */
  readonly host: string
  /** Who asks, as far as the network knows. */
  readonly address: string
  readonly isSecure: boolean
  /** Who the other side of the connection has proven to be. */
  readonly certificate: CertificateUser | undefined
  /** What was sent, parsed. */
  json(): Promise<unknown>
}

/** No question to this server is longer. */
const longestBody = 64 * 1024

/**
 * # Errors
 *
 * `Problem` when the path is none.
 */
export function readAsked(incoming: Incoming, isSecure: boolean): Asked {
  const headers = flatten(incoming.headers)
  const host = headers[':authority'] ?? headers['host'] ?? ''
  const url = URL.parse(incoming.url ?? '/', 'http://page')
  if (url === null) throw new Problem(400, 'The path of the request cannot be read.')
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    segments: url.pathname
      .split('/')
      .filter((segment) => segment !== '')
      .map(decoded),
    query: url.searchParams,
    headers,
    host,
    address: incoming.socket.remoteAddress ?? '',
    isSecure,
    certificate: isSecure ? certificateUser(incoming) : undefined,
    json: () => readJson(incoming, headers['content-type']),
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Problem(400, `The path of the request has "${segment}" in it, which is not encoded well.`)
  }
}

function flatten(headers: Incoming['headers']): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {}
  for (const name in headers) {
    const value = headers[name]
    flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

/** Only JSON: what forms of other pages can send without asking is none. */
async function readJson(incoming: Incoming, contentType = ''): Promise<unknown> {
  if (!/^application\/json\b/i.test(contentType)) throw new Problem(415, 'Send JSON: content-type application/json.')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > longestBody) throw new Problem(413, `The request is longer than ${longestBody} bytes.`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new Problem(400, 'The body of the request is no JSON.')
  }
}

/** The beginning of an answer, in either version of HTTP. */
export function writeHead(outgoing: Outgoing, status: number, headers: Readonly<Record<string, string>>): void {
  if ('stream' in outgoing) outgoing.writeHead(status, headers)
  else outgoing.writeHead(status, headers)
}
