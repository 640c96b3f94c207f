import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Clock } from '@windlass/core'
import type { SimulatedOcm } from './simulated-ocm.ts'

export interface ServeOcmOptions {
  readonly ocm: SimulatedOcm
  readonly clock: Clock
  /** Any free one unless told. */
  readonly port?: number
  /** PEM; plain HTTP without. */
  readonly tls?: { readonly certificate: string; readonly key: string }
}

export interface RunningOcm {
  readonly url: string
  readonly ocm: SimulatedOcm
  close(): Promise<void>
}

/** Serves a simulated OCM, or an agent, on 127.0.0.1. What takes long and what breaks does so on the wire. */
export async function serveOcm({ ocm, clock, port = 0, tls }: ServeOcmOptions): Promise<RunningOcm> {
  const listener: RequestListener = (request, response) => void answer(ocm, clock, request, response)
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer({ cert: tls.certificate, key: tls.key }, listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${actual}`,
    ocm,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(ocm: SimulatedOcm, clock: Clock, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array))
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    )
    const body = Buffer.concat(chunks).toString('utf8')
    const { after, reply } = ocm.behave({ method: request.method ?? 'GET', path: request.url ?? '/', headers, body })
    if (after > 0) await clock.sleep(after)
    if (typeof reply === 'string') response.destroy()
    else response.writeHead(reply.status, reply.headers).end(reply.body)
  } catch {
    // Whoever asked has gone.
    response.destroy()
  }
}
