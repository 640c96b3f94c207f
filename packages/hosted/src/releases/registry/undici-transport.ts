import { getCACertificates } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici'
import type { RegistryAnswer, RegistryTransport } from './transport.ts'

export interface UndiciTransportOptions {
  /** PEM certificates of authorities to trust besides the usual ones. */
  readonly ca?: readonly string[]
  /** Through which proxies to go. The environment is not looked at: whoever reads it passes it here. */
  readonly proxy?: { readonly http?: string; readonly https?: string; readonly except?: string }
  /** Milliseconds for a connection to be made; 10 s unless told. */
  readonly connectTimeout?: number
  /** Milliseconds without a byte after which a body counts as broken off; 30 s unless told. */
  readonly stallTimeout?: number
}

/** HTTP and HTTPS over sockets. How long to wait for an answer is the caller's decision (`RegistryRequest.signal`). */
export function undiciTransport(options: UndiciTransportOptions = {}): RegistryTransport {
  const dispatcher = dispatcherFor(options)
  return {
    async send({ method, url, headers, body, signal }) {
      const answer = await request(url, { dispatcher, method, headers, signal, ...(body === undefined ? {} : { body }) })
      return {
        status: answer.statusCode,
        headers: joined(answer.headers),
        body: answer.body,
        // Nobody wants to know how it ended.
        discard: () => answer.body.dump().catch(() => {}),
      }
    },
    close: () => dispatcher.close(),
  }
}

function dispatcherFor({ ca = [], proxy, connectTimeout = 10_000, stallTimeout = 30_000 }: UndiciTransportOptions): Dispatcher {
  const settings = { headersTimeout: 0, bodyTimeout: stallTimeout }
  const trust = ca.length === 0 ? {} : { ca: [...getCACertificates('default'), ...ca] }
  if (proxy === undefined) return new Agent({ ...settings, connect: { timeout: connectTimeout, ...trust } })
  // What is not said must be said as empty: left out, the proxy agent would look for it in the environment.
  return new EnvHttpProxyAgent({
    ...settings,
    connect: { timeout: connectTimeout, ...trust },
    requestTls: trust,
    httpProxy: proxy.http ?? '',
    httpsProxy: proxy.https ?? '',
    noProxy: proxy.except ?? '',
  })
}

function joined(headers: Readonly<Record<string, string | readonly string[] | undefined>>): RegistryAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'object' ? value.join(', ') : value]))
}
