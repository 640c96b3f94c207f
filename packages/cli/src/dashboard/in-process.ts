import type { Embedded } from '@windlass/apiserver'
import type { Door } from '@windlass/fleet'
import {
  type ClientOptions,
  createClient,
  type InProcessOptions,
  inProcessTransport,
  type Transport,
  type TransportRequest,
} from '@windlass/kube'
import { inProcessUser } from '../laptop/in-process.ts'

/** A logical cluster of a server in the same process, as people get into it. `prefix` is where it is: empty, or `/clusters/<name>`. */
export function inProcessDoor(
  name: string,
  prefix: string,
  { server, url }: Pick<Embedded, 'server' | 'url'>,
  options: Omit<ClientOptions, 'transport'>,
): Door {
  const way = (as: Pick<InProcessOptions, 'user'>): Transport =>
    inProcessTransport((request) => server.handle(request), { ...as, prefix, host: new URL(url).host })
  return {
    name,
    open(credential) {
      if (credential.by === 'link') return createClient({ ...options, transport: way({ user: inProcessUser }) })
      if (credential.by === 'token') {
        return createClient({ ...options, transport: withHeaders(way({}), { authorization: `Bearer ${credential.token}` }) })
      }
      const { user, groups } = credential
      const known = { name: user, uid: '', groups: [...groups, 'system:authenticated'], extra: {} }
      return createClient({ ...options, transport: way({ user: known }) })
    },
  }
}

function withHeaders(transport: Transport, headers: Readonly<Record<string, string>>): Transport {
  const carrying = (request: TransportRequest): TransportRequest => ({ ...request, headers: { ...request.headers, ...headers } })
  return {
    host: transport.host,
    send: (request) => transport.send(carrying(request)),
    stream: (request) => transport.stream(carrying(request)),
    close: () => transport.close(),
  }
}
