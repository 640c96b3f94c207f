import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer, request as requestSecurely } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Certificate } from '../release-registry/certificate.ts'

/** A request on its way. */
export interface Passing {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly body: string
}

/** Whether a request may reach its server, and whether its answer may reach who asked. Where not, the connection is closed. */
export type Checkpoint = (moment: 'before' | 'after', passing: Passing) => boolean | Promise<boolean>

/** Somebody in front of a server: by default one that has no TLS, for who shows the right token, as the services of a cluster's monitoring are guarded. */
export interface Guarded {
  readonly url: string
  /** `GET /api/v2/silences 200`, in order. */
  readonly requests: readonly string[]
  /** What happens to requests: they are passed on unless told. `lost`: their answer is. */
  mode: 'well' | 'down' | 'lost' | { readonly slowBy: number }
  close(): Promise<void>
}

export interface GuardedOptions {
  /** Where the server is. */
  readonly target: string
  /** PEM of who vouches for the server, if it has TLS. */
  readonly ca?: string
  /** What the guard itself shows; plain HTTP without. */
  readonly certificate?: Certificate
  /** Whether this is the header `Authorization` of somebody who may pass; everybody may unless told. */
  readonly isWelcome?: (authorization: string) => boolean
  /** What every path begins with here, and not at the server. */
  readonly prefix?: string
  readonly checkpoint?: Checkpoint
}

export async function guard(options: GuardedOptions): Promise<Guarded> {
  const { target, ca, certificate, isWelcome = () => true, prefix = '', checkpoint = () => true } = options
  const requests: string[] = []
  const listener = (incoming: IncomingMessage, response: ServerResponse): void => {
    // Whoever asked may be gone by now.
    response.on('error', () => {})
    void pass(incoming, response).catch(() => response.destroy())
  }
  const server =
    certificate === undefined
      ? createPlainServer(listener)
      : createServer({ cert: certificate.certificate, key: certificate.key }, listener)
  server.on('tlsClientError', () => {})
  // What the servers behind it promise, and it passes on: else a request may meet an end that nobody has foretold.
  server.keepAliveTimeout = 90_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { mode } = guarded
    const { method = 'GET', url = '/' } = incoming
    const path = url.startsWith(prefix) ? url.slice(prefix.length) || '/' : url
    const what = `${method} ${path}`
    const refuse = (): void => {
      requests.push(`${what} -`)
      response.destroy()
    }
    if (mode === 'down') return refuse()
    if (!isWelcome(incoming.headers.authorization ?? '')) {
      requests.push(`${what} 401`)
      response.writeHead(401).end('Unauthorized')
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk as Uint8Array))
    const body = Buffer.concat(chunks)
    const passing = { method, path, body: body.toString('utf8') }
    if (typeof mode === 'object') await sleep(mode.slowBy)
    if (!(await checkpoint('before', passing))) return refuse()
    const headers = { ...incoming.headers, host: new URL(target).host }
    const onward =
      ca === undefined ? request(`${target}${path}`, { method, headers }) : requestSecurely(`${target}${path}`, { method, headers, ca })
    // A watch that nobody reads any more is to end at the server too.
    response.once('close', () => onward.destroy())
    onward.end(body)
    const [answer] = (await once(onward, 'response')) as [IncomingMessage]
    requests.push(`${what} ${answer.statusCode}`)
    if (mode === 'lost' || !(await checkpoint('after', passing))) {
      answer.resume()
      response.destroy()
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    // Else a watch without events would look like one that was never answered.
    response.flushHeaders()
    answer.on('error', () => response.destroy())
    answer.pipe(response)
  }

  const guarded: Guarded = {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    requests,
    mode: 'well',
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return guarded
}
