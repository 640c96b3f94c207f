import type { Embedded } from '@windlass/apiserver'
import type { Clock, Random } from '@windlass/core'
import { type Client, type ClientOptions, connector, createClient, inProcessTransport, type Log, type RuntimeMetrics } from '@windlass/kube'
import { parseKubeconfig } from '../kubeconfig-file/index.ts'
import { version } from '../version.ts'

/** Who controllers in the process of the server are. */
export const inProcessUser = { name: 'windlass', uid: 'windlass', groups: ['system:masters', 'system:authenticated'], extra: {} }

export interface InProcessParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: RuntimeMetrics
}

/** Clients of a server in the same process: a request is a function call. */
export interface InProcessAccess {
  readonly client: Client
  /** By the kubeconfig of a guest. Guests of other servers are reached over the network. */
  readonly connect: (kubeconfig: string, name: string) => Promise<Client>
}

export function inProcessAccess({ server, url }: Pick<Embedded, 'server' | 'url'>, parts: InProcessParts): InProcessAccess {
  const options: Omit<ClientOptions, 'transport'> = { ...parts, userAgent: `windlass/${version}`, fieldManager: 'windlass' }
  const elsewhere = connector(options)
  const here = (prefix: string): Client =>
    createClient({
      ...options,
      transport: inProcessTransport((request) => server.handle(request), { user: inProcessUser, prefix, host: new URL(url).host }),
    })
  return {
    client: here(''),
    async connect(kubeconfig, name) {
      const path = guestPath(kubeconfig, name, url)
      return path === undefined ? elsewhere(kubeconfig, name) : here(path)
    },
  }
}

/**
 * `/clusters/<name>` when a kubeconfig leads to a logical cluster of this server. Its port does not count: the one in a Secret may be that of the
 * last start, and is put right a moment later.
 */
function guestPath(kubeconfig: string, name: string, url: string): string | undefined {
  const { hostname, pathname } = new URL(parseKubeconfig(kubeconfig, `of the guest of ${name}`).server)
  return hostname === new URL(url).hostname && /^\/clusters\/[^/]+$/.test(pathname) ? pathname : undefined
}
