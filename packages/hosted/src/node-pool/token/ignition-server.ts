import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SecureContext, TlsOptions } from 'node:tls'
import type { Clock } from '@windlass/core'
import type { Log, Runnable } from '@windlass/kube'
import type { IgnitionService } from './ignition-service.ts'

export interface IgnitionServerOptions {
  readonly ignition: IgnitionService
  readonly clock: Clock
  readonly log: Log
  /** PEM. Signed by what stands in the Secret `ignition-server-ca-cert` of each control plane: machines trust nothing else. */
  readonly certificate: string
  readonly key: string
  /** The same for a name that a machine asks for: each cluster has an endpoint of its own. The one above serves all names unless told. */
  readonly certify?: (name: string) => CertifiedKey | undefined
  /** 0 picks a free one. */
  readonly port: number
  /** 127.0.0.1 unless told: machines are usually elsewhere. */
  readonly host?: string
}

/** A certificate and its key, both PEM. */
export interface CertifiedKey {
  readonly certificate: string
  readonly key: string
}

export interface IgnitionServer extends Runnable {
  /** `https://127.0.0.1:8443`; undefined while it does not run. */
  readonly url: string | undefined
}

/** Machines ask once every few seconds: none of them needs longer for a request. */
const requestLimit = 30_000

/** Of so many names certificates are kept at hand: strangers may ask for any. */
const mostNames = 5000

/**
 * The port at which machines fetch their first configuration. It is open in the process that leads only: tokens and payloads are there.
 *
 * Errors: it ends with one when the port cannot be opened.
 */
export function ignitionServer(options: IgnitionServerOptions): IgnitionServer {
  let url: string | undefined
  return {
    name: 'ignition server',
    needsLeadership: true,
    get url() {
      return url
    },
    async run(signal) {
      const { createServer } = process.getBuiltinModule('node:https')
      const { ignition, clock, log, certificate, key, port, host = '127.0.0.1', certify } = options
      const names = certify === undefined ? {} : { SNICallback: byName(certify) }
      const security = { cert: certificate, key, minVersion: 'TLSv1.2', ...names } as const
      const server = createServer({ ...security, requestTimeout: requestLimit }, (request, response) => {
        respond(ignition, clock, request, response).catch((error: unknown) => {
          log.warn({ err: error }, 'a machine could not be answered')
          response.destroy()
        })
      })
      server.listen(port, host)
      try {
        await once(server, 'listening')
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        throw new Error(`cannot serve machines at ${host}:${port}: ${why}. Choose another port, or stop what uses it.`, { cause: error })
      }
      url = `https://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
      if (!signal.aborted) await once(signal, 'abort')
      url = undefined
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Certificates by the name that a machine asks for. */
function byName(certify: NonNullable<IgnitionServerOptions['certify']>): NonNullable<TlsOptions['SNICallback']> {
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  const known = new Map<string, SecureContext>()
  const contextOf = (name: string): SecureContext | undefined => {
    const certified = certify(name)
    if (certified === undefined) return undefined
    if (known.size >= mostNames) known.clear()
    const context = createSecureContext({ cert: certified.certificate, key: certified.key, minVersion: 'TLSv1.2' })
    known.set(name, context)
    return context
  }
  return (name, answer) => answer(null, known.get(name) ?? contextOf(name))
}

async function respond(ignition: IgnitionService, clock: Clock, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const path = url.replace(/\?.*$/, '')
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value]))
  const { status, body } = await ignition.answer({ method, path, headers: texts }, clock)
  response.writeHead(status, {
    'content-type': status === 200 ? 'application/json' : 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(body)
}
