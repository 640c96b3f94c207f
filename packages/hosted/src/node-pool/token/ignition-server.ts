import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  /** 0 picks a free one. */
  readonly port: number
  /** 127.0.0.1 unless told: machines are usually elsewhere. */
  readonly host?: string
}

export interface IgnitionServer extends Runnable {
  /** `https://127.0.0.1:8443`; undefined while it does not run. */
  readonly url: string | undefined
}

/** Machines ask once every few seconds: none of them needs longer for a request. */
const requestLimit = 30_000

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
      const { ignition, clock, log, certificate, key, port, host = '127.0.0.1' } = options
      const server = createServer({ cert: certificate, key, minVersion: 'TLSv1.2', requestTimeout: requestLimit }, (request, response) => {
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
