import type { Dispatcher } from 'undici'
import { closedError } from './connection-problem.ts'

export interface ConnectionOptions {
  /** `https://127.0.0.1:6443`, without a path. */
  readonly origin: string
  /** PEM of the authorities to trust; those of the system unless told. */
  readonly ca?: string
  /** The name to expect in the server's certificate, where it is not the one in the address. */
  readonly serverName?: string
  /** Talk to whoever answers. */
  readonly isInsecure?: boolean
  /** PEM, both or none. */
  readonly certificate?: string
  readonly key?: string
  /** `http://`, `https://` or `socks5://` address, perhaps with a name and a password. */
  readonly proxy?: string
  /** For requests, at once; streams are not counted. */
  readonly maxConnections: number
  /** Milliseconds for a connection to be made; 10 s unless told. */
  readonly connectTimeout?: number
}

/** The connections to one server as one somebody. */
export interface Connections {
  /** A bounded number of connections, kept open between requests. */
  readonly requests: Dispatcher
  /** A connection per stream: however many watches run, requests do not wait for them. */
  readonly streams: Dispatcher
  /** Lets what runs finish, then ends; resolves then. */
  retire(): Promise<void>
  /** Ends everything now. */
  destroy(host: string): Promise<void>
}

const usualConnectTimeout = 10_000
/** Less than the shortest idle time that load balancers in front of API servers are known for. */
const idleTimeout = 30_000
/** The first probe on a connection that says nothing, as Go's client does it: watches are silent for minutes. */
const keepAliveDelay = 30_000
/** For who uses a transport without a client: clients give up much earlier, by their own clocks. */
const longestSilence = 300_000

/** Opens nothing yet: connections are made when they are needed. */
export async function openConnections(options: ConnectionOptions): Promise<Connections> {
  // Loading it takes longer than most simulations and commands that never open a socket.
  const { Pool, ProxyAgent } = await import('undici')
  const tls = tlsOptions(options)
  const dispatcher = (limits: { connections: number | null; bodyTimeout: number }): Dispatcher => {
    const common = { ...limits, allowH2: false, pipelining: 1, keepAliveTimeout: idleTimeout, headersTimeout: longestSilence }
    if (options.proxy === undefined) return new Pool(options.origin, { ...common, connect: tls })
    return new ProxyAgent({ ...common, uri: options.proxy, requestTls: tls, connectTimeout: tls.timeout })
  }
  const requests = dispatcher({ connections: options.maxConnections, bodyTimeout: longestSilence })
  const streams = dispatcher({ connections: null, bodyTimeout: 0 })
  const both = [requests, streams]
  return {
    requests,
    streams,
    retire: async () => {
      await Promise.allSettled(both.map((each) => each.close()))
    },
    destroy: async (host) => {
      await Promise.all(both.map((each) => each.destroy(closedError(host))))
    },
  }
}

function tlsOptions({ ca, certificate, key, serverName, isInsecure = false, connectTimeout = usualConnectTimeout }: ConnectionOptions) {
  return {
    timeout: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelay,
    rejectUnauthorized: !isInsecure,
    ...(ca === undefined ? {} : { ca }),
    ...(certificate === undefined ? {} : { cert: certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
  }
}
