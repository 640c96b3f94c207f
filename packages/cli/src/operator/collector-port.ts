import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Runnable } from '@windlass/kube'

export interface CollectorPort {
  readonly host: string
  readonly port: number
  readonly registry: { readonly contentType: string; metrics(): Promise<string> }
}

/**
 * Serves what is derived from the UpgradeConfig where managed upgrades have always had it: at a port of its own, whatever the path. In every replica, for
 * it is the same in all of them.
 *
 * Errors: `run` rejects when the port cannot be opened.
 */
export function collectorPort({ host, port, registry }: CollectorPort): Runnable {
  return {
    name: 'collector port',
    needsLeadership: false,
    async run(signal) {
      const server = createServer((request, response) => {
        registry.metrics().then(
          (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(request.method === 'HEAD' ? undefined : text),
          (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`${String(error)}\n`),
        )
      })
      await listen(server, host, port)
      if (!signal.aborted) await once(signal, 'abort')
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`cannot serve the collector at ${host}:${port}: ${why}. Choose another --collector-port, or stop what uses it.`, {
      cause: error,
    })
  }
}
