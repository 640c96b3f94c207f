import { once } from 'node:events'
import { hostname } from 'node:os'
import type { Server } from 'node:http'
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '@windlass/core'
import type { Incoming, Outgoing } from './asked.ts'

/** PEM. */
export interface Tls {
  readonly certificate: string
  readonly key: string
  /** Who signs certificates of people; nobody is asked for one without it. */
  readonly clientAuthority?: string
}

export interface ListenOptions {
  readonly host: string
  /** Tried in order until one is free; 0 is whichever is. */
  readonly ports: readonly number[]
  readonly tls?: Tls
  readonly clock: Clock
}

export interface Listening {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** How long answers that are under way may take when the port is closed. */
const farewell = 2000

type Respond = (incoming: Incoming, outgoing: Outgoing) => Promise<void>

/** Opens a port: HTTP/1.1, and with TLS also HTTP/2, in which streams share one connection. */
export async function listen(respond: Respond, { host, ports, tls, clock }: ListenOptions): Promise<Listening> {
  const running = new Set<Promise<void>>()
  const onRequest = (incoming: Incoming, outgoing: Outgoing): void => {
    const work = respond(incoming, outgoing).catch(() => void outgoing.destroy())
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const server = await opened(() => (tls === undefined ? plainServer(onRequest) : secureServer(tls, onRequest)), host, ports)
  const sockets = new Set<Socket>()
  for (const event of ['connection', 'secureConnection']) server.on(event, (socket: Socket) => track(sockets, socket))
  const { port } = server.address() as AddressInfo
  const name = nameOf(host)
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${name}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const patience = new AbortController()
      await Promise.race([Promise.all(running), clock.sleep(farewell, patience.signal).catch(() => {})])
      patience.abort()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** What people call the machine: an address that stands for all of its addresses is none. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return hostname()
  return host.includes(':') ? `[${host}]` : host
}

/** Asking the system for a port is the only honest way to learn whether it is free. */
async function opened<S extends Server | Http2SecureServer>(
  make: () => S,
  host: string,
  [port = 0, ...others]: readonly number[],
): Promise<S> {
  const server = make()
  server.listen(port, host)
  try {
    await once(server, 'listening')
    return server
  } catch (error) {
    if (others.length > 0 && error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return opened(make, host, others)
    throw error
  }
}

function track(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  // A connection that breaks is the other side's business: the request on it notices by itself.
  socket.on('error', () => {})
}

type OnRequest = (incoming: Incoming, outgoing: Outgoing) => void

function plainServer(onRequest: OnRequest): Server {
  // Importing it by name would load it where nothing is served.
  const { createServer } = process.getBuiltinModule('node:http')
  return createServer({ keepAliveTimeout: 90_000, requestTimeout: 30_000 }).on('request', onRequest)
}

function secureServer({ certificate, key, clientAuthority }: Tls, onRequest: OnRequest): Http2SecureServer {
  const { createSecureServer } = process.getBuiltinModule('node:http2')
  const asksForCertificate = clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true, rejectUnauthorized: false }
  const server = createSecureServer({ cert: certificate, key, allowHTTP1: true, minVersion: 'TLSv1.2', ...asksForCertificate })
  server.on('sessionError', () => {})
  server.on('session', (session: ServerHttp2Session) => session.on('error', () => {}))
  return server.on('request', onRequest)
}
