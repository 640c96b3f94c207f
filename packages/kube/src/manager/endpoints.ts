import { once } from 'node:events'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@windlass/core'
import type { Inspection } from './inspection.ts'
import { answer, type Section } from './routes.ts'

export interface EndpointOptions {
  /** 0 picks a free one. */
  readonly port: number
  /** 127.0.0.1 unless told: whoever wants them to be reached from outside has to say so. */
  readonly host?: string
  /** Whether there is `/debug`, which shows objects: where only this machine can ask unless told. */
  readonly debug?: boolean
}

export interface Endpoints {
  /** `http://127.0.0.1:8081`, where health is; then where metrics are, if that is elsewhere. */
  readonly urls: readonly string[]
  close(): Promise<void>
}

export interface EndpointChoice {
  readonly clock: Clock
  readonly health?: EndpointOptions
  readonly metrics?: EndpointOptions
}

/** How long answers that are under way may take when the ports are closed. */
const farewell = 500

/** Milliseconds of work in one go. */
const longestStretch = 10

const thisMachine: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * Opens ports that tell how a process is. Health and metrics share one if they are given the same.
 *
 * # Errors
 *
 * When a port cannot be opened; none is open then.
 */
export async function serveEndpoints(inspect: () => Inspection, { health, metrics, clock }: EndpointChoice): Promise<Endpoints> {
  const isShared = health !== undefined && metrics !== undefined && health.port === metrics.port
  const wanted: [EndpointOptions, Section[]][] = []
  if (health !== undefined) wanted.push([health, isShared ? ['health', 'metrics'] : ['health']])
  if (metrics !== undefined && !isShared) wanted.push([metrics, ['metrics']])
  const open: Server[] = []
  const answers = new Set<Promise<void>>()
  const follow = (work: Promise<void>): void => {
    answers.add(work)
    void work.finally(() => answers.delete(work))
  }
  const close = async (): Promise<void> => {
    const closed = open.map((server) => new Promise((resolve) => server.close(resolve)))
    const patience = new AbortController()
    await Promise.race([Promise.all(answers), clock.sleep(farewell, patience.signal).catch(() => {})])
    patience.abort()
    for (const server of open) server.closeAllConnections()
    await Promise.all(closed)
  }
  const urls: string[] = []
  try {
    for (const [{ host = '127.0.0.1', port, debug = thisMachine.has(host) }, sections] of wanted) {
      const hasDebug = debug && (sections.includes('health') || health === undefined)
      const served: readonly Section[] = hasDebug ? [...sections, 'debug'] : sections
      const server = await listen(served, host, port, (request, response) => follow(respond(inspect, served, clock, request, response)))
      open.push(server)
      urls.push(`http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { urls, close }
}

async function listen(sections: readonly Section[], host: string, port: number, onRequest: RequestListener): Promise<Server> {
  // Importing it by name would load it where nothing is served.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(onRequest)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`cannot serve ${sections.join(', ')} at ${host}:${port}: ${why}. Choose another port, or stop what uses it.`, {
      cause: error,
    })
  }
  return server
}

async function respond(
  inspect: () => Inspection,
  sections: readonly Section[],
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const closed = once(response, 'close')
  try {
    const { status, contentType, body } = await answer(inspect(), sections, method, url)
    const pieces = typeof body === 'string' ? [body].values() : body[Symbol.asyncIterator]()
    // Before anything is said: what fails at once can still be answered as a failure.
    const first = await pieces.next()
    response.writeHead(status, { 'content-type': contentType, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
    if (method !== 'HEAD') {
      let rested = clock.monotonic()
      for (let piece = first; piece.done !== true && !response.destroyed; piece = await pieces.next()) {
        if (!response.write(piece.value)) await Promise.race([once(response, 'drain'), closed])
        if (clock.monotonic() - rested < longestStretch) continue
        // A reader that is fast enough never makes us wait, and nobody else would have a turn.
        await clock.sleep(0)
        rested = clock.monotonic()
      }
    }
    response.end()
  } catch (error) {
    const problem = error instanceof Error ? error : new Error(String(error))
    // Half an answer must not look like a whole one.
    if (response.headersSent) response.destroy(problem)
    else response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`${problem.message}\n`)
  }
  await closed
}
