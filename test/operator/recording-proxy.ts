import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that went through. */
export interface Passed {
  readonly method: string
  readonly path: string
  /** When it was sent on, by `performance.now()`. */
  readonly at: number
}

/** The network between one client and a plain HTTP server: it remembers what went through, and can be unplugged. */
export interface RecordingProxy {
  readonly url: string
  readonly passed: readonly Passed[]
  /** Writes that act on the cluster: leases and events are about the client itself. */
  acts(): readonly Passed[]
  /** Cuts every connection and lets none through until `plug`. */
  unplug(): void
  plug(): void
  /** How many connections were refused while it was unplugged. */
  readonly refusals: number
  /** From now on, requests for paths that match are not answered: their connections are cut. */
  cutOff(paths: RegExp): void
  close(): Promise<void>
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const { hostname, port } = new URL(target)
  const passed: Passed[] = []
  let isPlugged = true
  let refusals = 0
  let isCutOff: RegExp | undefined
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    if (isCutOff?.test(url) === true) {
      incoming.destroy()
      return
    }
    passed.push({ method, path: url, at: performance.now() })
    const onward = httpRequest({ hostname, port, method, path: url, headers }, (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  // What the server behind it promises, and it passes on.
  server.keepAliveTimeout = 90_000
  server.on('connection', (socket) => {
    if (isPlugged) return
    refusals++
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    acts: () => passed.filter(({ method, path }) => method !== 'GET' && !/\/(leases|events)\b/.test(path)),
    unplug() {
      isPlugged = false
      server.closeAllConnections()
    },
    plug() {
      isPlugged = true
    },
    get refusals() {
      return refusals
    },
    cutOff(paths) {
      isCutOff = paths
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
