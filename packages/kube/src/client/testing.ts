import { seededRandom, VirtualClock } from '@windlass/core'
import { orAborted } from '../transport/abort.ts'
import type { Transport, TransportRequest, TransportResponse, TransportStream } from '../transport/transport.ts'
import { type ClientOptions, createClient, type RestClient } from './rest-client.ts'

/** What a scripted server does with a request: answers, fails, or leaves it waiting for ever. */
export type Scripted = Partial<Omit<TransportResponse, 'body'>> & { readonly body?: unknown; readonly chunks?: readonly string[] }
export type Step = Scripted | Error | 'silence'

/** A server that follows a script, step by step; the last one again and again. */
export class ScriptedTransport implements Transport {
  readonly host = 'scripted:6443'
  /** What was asked, in order. */
  readonly requests: TransportRequest[] = []
  isClosed = false
  readonly #steps: readonly Step[]

  constructor(...steps: readonly Step[]) {
    this.#steps = steps
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const { status = 200, headers = {}, body } = await this.#next(request)
    return { status, headers, body: bytesOf(body) }
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const { status = 200, headers = {}, body, chunks = [] } = await this.#next(request)
    const pieces = status >= 300 ? [bytesOf(body)] : chunks.map((chunk) => Buffer.from(chunk))
    return { status, headers, chunks: streamOf(pieces) }
  }

  close(): Promise<void> {
    this.isClosed = true
    return Promise.resolve()
  }

  async #next(request: TransportRequest): Promise<Scripted> {
    const step = this.#steps[Math.min(this.requests.length, this.#steps.length - 1)] ?? {}
    this.requests.push(request)
    if (step instanceof Error) throw step
    if (step !== 'silence') return step
    return orAborted(new Promise<never>(() => {}), request.signal)
  }
}

// oxlint-disable-next-line typescript/require-await
async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}

/** Text as it is, anything else as JSON. */
function bytesOf(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? {}))
}

/** A Status as a server sends it. */
export function aStatus(code: number, reason: string, more: object = {}): Scripted {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: `${reason}!`, ...more },
  }
}

export interface ScriptedClient {
  readonly client: RestClient
  readonly transport: ScriptedTransport
  readonly clock: VirtualClock
}

/** A client of a server that follows a script, in virtual time. */
export function clientOf(steps: readonly Step[], options: Partial<ClientOptions> = {}): ScriptedClient {
  const transport = new ScriptedTransport(...steps)
  const clock = new VirtualClock()
  const base = { transport, clock, random: seededRandom('client'), userAgent: 'test/1.0', fieldManager: 'test' }
  return { client: createClient({ ...base, ...options }), transport, clock }
}

/** Everything that comes, when there is no more. */
export async function gather<T>(source: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of source) all.push(item)
  return all
}
