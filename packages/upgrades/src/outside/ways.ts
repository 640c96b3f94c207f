import type { Clock } from '@windlass/core'
import { type Environment, HttpsTransport, proxyFromEnvironment, type Transport, type TransportOptions } from '@windlass/kube'
import type { Way } from './exchange.ts'

export interface WayOptions {
  /** `https://api.openshift.com`, perhaps with a path that every request begins with. */
  readonly server: string
  /** PEM of authorities to trust; the system's unless told. */
  readonly ca?: string
  /** Never through a proxy, whatever the environment says. */
  readonly isDirect?: boolean
  /** Milliseconds for the whole of a request; a minute unless told. */
  readonly limit?: number
}

/** Opens the way to a server; another one than sockets in simulations. */
export type Connect = (options: TransportOptions) => Transport

const connectTimeout = 30_000
const usualLimit = 60_000

/**
 * Ways to servers, kept: a way is opened when it is first needed, and used again as long as nothing about it has changed. Whoever asks names the way, so that a
 * server that has moved, or shows another certificate, replaces the old one.
 */
export class Ways {
  readonly #clock: Clock
  readonly #env: Environment
  readonly #connect: Connect
  readonly #open = new Map<string, { readonly options: TransportOptions; readonly transport: Transport }>()

  constructor(clock: Clock, env: Environment, connect: Connect = (options) => new HttpsTransport(options)) {
    this.#clock = clock
    this.#env = env
    this.#connect = connect
  }

  /** Errors: throws when the address is none. */
  to(name: string, { server, ca, isDirect = false, limit = usualLimit }: WayOptions): Way {
    const url = new URL(server)
    const proxy = isDirect ? undefined : proxyFromEnvironment(url, this.#env)
    const options: TransportOptions = {
      server,
      connectTimeout,
      ...(ca === undefined ? {} : { ca }),
      ...(proxy === undefined ? {} : { proxy }),
    }
    return {
      server: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
      transport: this.#transport(name, options),
      clock: this.#clock,
      limit,
    }
  }

  async close(): Promise<void> {
    const all = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(all.map(({ transport }) => transport.close()))
  }

  #transport(name: string, options: TransportOptions): Transport {
    const known = this.#open.get(name)
    if (known !== undefined && isSame(known.options, options)) return known.transport
    const transport = this.#connect(options)
    this.#open.set(name, { options, transport })
    void known?.transport.close()
    return transport
  }
}

function isSame(a: TransportOptions, b: TransportOptions): boolean {
  return a.server === b.server && a.ca === b.ca && a.proxy === b.proxy
}
