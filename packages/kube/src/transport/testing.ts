import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { HttpsTransport, type TransportOptions } from './https.ts'

/** A transport that is closed with the test. */
export function transportTo(options: TransportOptions): HttpsTransport & AsyncDisposable {
  const transport = new HttpsTransport(options)
  return Object.assign(transport, { [Symbol.asyncDispose]: () => transport.close() })
}

export interface Listening extends AsyncDisposable {
  /** `127.0.0.1:40123` */
  readonly host: string
  readonly url: string
  /** Of clients that are connected. */
  readonly sockets: ReadonlySet<Socket>
}

/** Opens the port of a server; it is closed with the test, and who is still connected is put out. */
export async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}`,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A server that does what the test says. */
export function serving(listener: RequestListener): Promise<Listening> {
  return listening(createServer(listener))
}

/** An address where nobody listens. */
export async function deserted(): Promise<string> {
  const server = await serving((_request, response) => response.end())
  await server[Symbol.asyncDispose]()
  return server.url
}
