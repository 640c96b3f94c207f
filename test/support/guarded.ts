import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Certificate } from '../release-registry/certificate.ts'

/** TLS in front of a server that has none, for who shows the right token: as the services of a cluster's monitoring are guarded. */
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
  readonly certificate: Certificate
  /** Whether this is the header `Authorization` of somebody who may pass. */
  readonly isWelcome: (authorization: string) => boolean
}

export async function guard({ target, certificate, isWelcome }: GuardedOptions): Promise<Guarded> {
  const requests: string[] = []
  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (incoming, response) => {
    void pass(incoming, response).catch(() => response.destroy())
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { mode } = guarded
    const what = `${incoming.method} ${incoming.url}`
    if (mode === 'down') {
      requests.push(`${what} -`)
      response.destroy()
      return
    }
    if (!isWelcome(incoming.headers.authorization ?? '')) {
      requests.push(`${what} 401`)
      response.writeHead(401).end('Unauthorized')
      return
    }
    if (typeof mode === 'object') await sleep(mode.slowBy)
    const onward = request(`${target}${incoming.url}`, {
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(target).host },
    })
    incoming.pipe(onward)
    const [answer] = (await once(onward, 'response')) as [IncomingMessage]
    requests.push(`${what} ${answer.statusCode}`)
    if (mode === 'lost') {
      answer.resume()
      response.destroy()
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  }

  const guarded: Guarded = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
