import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '@windlass/core'
import type { ApiServer } from '../server/server.ts'
import { upgrade } from './websocket.ts'
import { exchange, type Incoming, type Outgoing } from './exchange.ts'

export interface TlsOptions {
  readonly key: string | Buffer
  readonly cert: string | Buffer
  /** Client certificates signed by this authority tell who is asking. */
  readonly ca: string | Buffer
}

export interface ListenOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly clock: Clock
  /** Without it the server speaks plain HTTP. */
  readonly tls?: TlsOptions
}

export interface Listener {
  readonly host: string
  readonly port: number
  /** Stops taking requests, lets running ones finish, then closes every connection. */
  close(): Promise<void>
}

/** Streams one HTTP/2 connection may have open at once: informers hold one watch per kind. */
const concurrentStreams = 1000

/** How long requests that are still running may take when the server stops. */
const gracePeriod = 10_000

/** Opens the port: HTTP/1.1 and HTTP/2 side by side, by ALPN. */
export async function listen(api: ApiServer, options: ListenOptions): Promise<Listener> {
  const requests = new Set<Promise<unknown>>()
  const sockets = new Set<Socket>()
  let isClosing = false
  const follow = (work: Promise<unknown>): void => {
    requests.add(work)
    void work.finally(() => requests.delete(work))
  }
  const onRequest = (incoming: Incoming, outgoing: Outgoing): void => {
    follow(exchange(api, incoming, outgoing, options.clock, () => isClosing))
  }
  const server = options.tls === undefined ? plainServer(onRequest) : secureServer(options.tls, onRequest)
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    follow(upgrade(api, incoming, socket).catch(() => socket.destroy()))
  })
  server.on('connection', (socket: Socket) => track(sockets, socket))
  server.on('secureConnection', (socket: Socket) => track(sockets, socket))
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: options.host,
    port,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const grace = new AbortController()
      const running = Promise.allSettled(requests)
      await Promise.race([running, options.clock.sleep(gracePeriod, grace.signal).catch(() => {})])
      grace.abort()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function track(sockets: Set<Socket>, socket: Socket): void {
  socket.setNoDelay(true)
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  // A connection that breaks is the client's business: the request on it notices by itself.
  socket.on('error', () => {})
}

type OnRequest = (incoming: Incoming, outgoing: Outgoing) => void

function plainServer(onRequest: OnRequest): HttpServer {
  const server = createServer({ keepAliveTimeout: 90_000, requestTimeout: 60_000 })
  return server.on('request', onRequest)
}

function secureServer(tls: TlsOptions, onRequest: OnRequest): Http2SecureServer {
  const server = createSecureServer({
    ...tls,
    allowHTTP1: true,
    requestCert: true,
    rejectUnauthorized: false,
    settings: { maxConcurrentStreams: concurrentStreams },
  })
  // The HTTP/1.1 side of the server takes the same settings as node:http, but only after it was made.
  Object.assign(server, { keepAliveTimeout: 90_000, requestTimeout: 60_000 })
  server.on('sessionError', () => {})
  server.on('session', (session) => {
    session.on('error', () => {})
  })
  return server.on('request', onRequest)
}
