import { seededRandom, type VirtualClock } from '@windlass/core'
import { type Client, createClient } from '../../client/index.ts'
import { ConnectionError, type Handle, inProcessTransport, type InProcessUser, type Transport } from '../../transport/index.ts'

/** What is needed of the embedded server, as its tests start it. */
interface Server {
  readonly api: { readonly handle: Handle }
  readonly clock: VirtualClock
}

/** A network between tests and a server, which may be cut: `cut` has the paths of clusters that are not reached. */
export class Network {
  readonly #server: Server
  readonly #user: InProcessUser
  readonly cut = new Set<string>()
  readonly kubeconfigs: string[] = []

  constructor(server: Server, user: InProcessUser) {
    this.#server = server
    this.#user = user
  }

  client(prefix = ''): Client {
    const { clock, api } = this.#server
    const inner = inProcessTransport((request) => api.handle(request), { user: this.#user, prefix })
    const refuse = (): void => {
      if (this.cut.has(prefix)) throw new ConnectionError(`${prefix} refuses the connection`, 'ECONNREFUSED')
    }
    const transport: Transport = {
      host: inner.host,
      send: async (request) => (refuse(), inner.send(request)),
      stream: async (request) => (refuse(), inner.stream(request)),
      close: () => inner.close(),
    }
    return createClient({ transport, clock, random: seededRandom(`client ${prefix}`), fieldManager: 'test', userAgent: 'test' })
  }

  /** From a kubeconfig as the test server writes it. */
  connect(kubeconfig: string): Client {
    this.kubeconfigs.push(kubeconfig)
    const prefix = /^server: https:\/\/test\.example\.com(\/\S+)$/m.exec(kubeconfig)?.[1]
    if (prefix === undefined) throw new Error('this is no kubeconfig')
    return this.client(prefix)
  }
}
