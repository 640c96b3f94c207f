import { once } from 'node:events'
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { Clock } from '@windlass/core'
import { upgrade } from './websocket.ts'
import { type Api, exchange, type Incoming, type Outgoing } from './exchange.ts'
import { GoAheads } from './go-ahead.ts'

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
/** How long connections may take to close afterwards. */
const farewell = 500

/** Opens the port: HTTP/1.1 and HTTP/2 side by side, by ALPN. */
export async function listen(api: Api, options: ListenOptions): Promise<Listener> {
  const requests = new Set<Promise<unknown>>()
  const sockets = new Set<Socket>()
  const sessions = new Set<ServerHttp2Session>()
  let isClosing = false
  const follow = (work: Promise<unknown>): void => {
    requests.add(work)
    void work.finally(() => requests.delete(work))
  }
  const goAheads = new GoAheads()
  const onRequest = (incoming: Incoming, outgoing: Outgoing): void => {
    goAheads.note(incoming, outgoing)
    follow(exchange(api, incoming, outgoing, options.clock, () => isClosing))
  }
  const server = options.tls === undefined ? plainServer(onRequest) : secureServer(options.tls, onRequest)
  server.on('checkContinue', (incoming: Incoming, outgoing: Outgoing) => {
    goAheads.give(incoming, outgoing)
    onRequest(incoming, outgoing)
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    follow(upgrade(api, incoming, socket).catch(() => socket.destroy()))
  })
  server.on('connection', (socket: Socket) => track(sockets, socket))
  server.on('secureConnection', (socket: Socket) => track(sockets, socket))
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
  })
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
      await hangUp(sockets, sessions, options.clock)
      await closed
    },
  }
}

/** Says goodbye first, so that what was written arrives; who does not leave is put out. */
async function hangUp(sockets: ReadonlySet<Socket>, sessions: ReadonlySet<ServerHttp2Session>, clock: Clock): Promise<void> {
  for (const session of sessions) session.close()
  const ofSessions = new Set([...sessions].map((session) => session.socket))
  for (const socket of sockets) if (socket instanceof TLSSocket && !ofSessions.has(socket)) socket.end()
  const patience = new AbortController()
  const gone = Promise.all([...sockets].filter((socket) => !socket.destroyed).map(untilClosed))
  await Promise.race([gone, clock.sleep(farewell, patience.signal).catch(() => {})])
  patience.abort()
  for (const socket of sockets) socket.destroy()
}

/** A connection that breaks is closed too. */
function untilClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
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
  // Importing it by name would load all that it offers, a web client among it, at every start.
  const { createServer } = process.getBuiltinModule('node:http')
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
