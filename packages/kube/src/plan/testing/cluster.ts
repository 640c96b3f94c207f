import { seededRandom, type VirtualClock } from '@windlass/core'
import { type Client, createClient } from '../../client/index.ts'
import type { EventRecorder, Occurrence } from '../../events/recorder.ts'
import { type Handle, inProcessTransport, type InProcessUser, type Transport, type TransportRequest } from '../../transport/index.ts'

/** What is needed of the embedded server, as its tests start it. */
interface Server extends AsyncDisposable {
  readonly api: { readonly handle: Handle }
  readonly clock: VirtualClock
}

/** A server in virtual time, with a client that is watched. */
export interface Cluster extends AsyncDisposable {
  readonly clock: VirtualClock
  readonly client: Client
  /** What was sent so far, but for watches and lists: `PATCH /apis/…/widgets/a/status`. A test that has looked at them takes them out. */
  readonly requests: string[]
  readonly bodies: unknown[]
  readonly occurrences: Occurrence[]
  readonly events: EventRecorder
  /** Called before each request: it may do something in between, or throw. */
  onRequest: (request: string) => Promise<void> | void
  /** Called when the server has done it, before anybody hears of that: it may throw. */
  onAnswer: (request: string) => void
  /** Takes out what was sent since the last time. */
  sent(): readonly string[]
}

/** `await using cluster = clusterOn(await startTestServer(), admin)` */
export function clusterOn(server: Server, user: InProcessUser): Cluster {
  const requests: string[] = []
  const bodies: unknown[] = []
  const occurrences: Occurrence[] = []
  const transport = inProcessTransport((request) => server.api.handle(request), { user })
  const watched: Transport = {
    host: transport.host,
    send: async (request) => {
      await note(request)
      const answer = await transport.send(request)
      cluster.onAnswer(textOf(request))
      return answer
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  }
  const note = async (request: TransportRequest): Promise<void> => {
    const { path, body } = request
    const text = textOf(request)
    if (path.includes('limit=')) return
    requests.push(text)
    bodies.push(body === undefined ? undefined : JSON.parse(body.toString()))
    await cluster.onRequest(text)
  }
  const cluster: Cluster = {
    clock: server.clock,
    client: createClient({
      transport: watched,
      clock: server.clock,
      random: seededRandom('client'),
      userAgent: 'test',
      fieldManager: 'test',
    }),
    requests,
    bodies,
    occurrences,
    events: { record: (occurrence) => void occurrences.push(occurrence) },
    onRequest: () => {},
    onAnswer: () => {},
    sent: () => (bodies.splice(0), requests.splice(0)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
  return cluster
}

function textOf({ method, path }: TransportRequest): string {
  return `${method} ${path.replace(/\?.*/, '')}`
}
