import type { Clock, Random } from '@windlass/core'
import { type Log, silentLog } from '../log.ts'
import type { RuntimeMetrics } from '../metrics/metrics.ts'
import { abortReason, LinkedAbort } from '../transport/abort.ts'
import { ConnectionError, type Transport, type TransportRequest, type TransportResponse } from '../transport/transport.ts'
import { objectWithoutManagedFields } from './managed-fields.ts'
import { refusal, unreadable } from './refusal.ts'
import { delayAfterError, delayAsked, timeoutCode } from './retry.ts'
import { WarningLog } from './warnings.ts'

export interface CallerOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  /** Names the program in the server's logs: `windlass/0.1.0`. */
  readonly userAgent: string
  readonly metrics?: Pick<RuntimeMetrics, 'request'>
  /** Told of warnings by the server, and of requests that are sent again. */
  readonly log?: Log
  /** How long an answer may take, in milliseconds, 60,000 unless told. Of a watch, only its beginning. */
  readonly timeout?: number
}

/** One thing asked of the server. */
export interface Call {
  readonly method: TransportRequest['method']
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** `application/json` unless told. */
  readonly contentType?: string
  readonly signal?: AbortSignal | undefined
  /** The answer is one object, and nobody asks who owns its fields. */
  readonly omitsManagedFields?: boolean | undefined
}

export interface OpenStream extends TransportResponse {
  readonly chunks: AsyncIterable<Buffer>
  /** Ends it. To be released when it has ended by itself. */
  readonly link: LinkedAbort
}

const defaultTimeout = 60_000
const nothing = Buffer.alloc(0)

/** Sends requests until there is an answer worth having: with time-outs, patience and a count of everything. */
export class Caller {
  readonly #options: CallerOptions
  readonly #log: Log
  readonly #warnings: WarningLog
  readonly #timeout: number

  constructor(options: CallerOptions) {
    this.#options = options
    this.#log = options.log ?? silentLog
    this.#warnings = new WarningLog(this.#log)
    this.#timeout = options.timeout ?? defaultTimeout
  }

  /** The value that the server answers with. Whether it is what the caller takes it for is between the server and the kind's declaration. */
  async json<Answer>(call: Call): Promise<Answer> {
    const response = await this.send(call)
    try {
      const text = response.body.toString('utf8')
      return (call.omitsManagedFields === true ? objectWithoutManagedFields(text) : JSON.parse(text)) as Answer
    } catch {
      throw unreadable(response, nameOf(call))
    }
  }

  /** The whole answer of success; throws an `ApiError` when it is none. */
  send(call: Call): Promise<TransportResponse> {
    return this.#persist(call, async (link) => {
      try {
        return await this.#options.transport.send(this.#request(call, link.signal))
      } finally {
        link.release()
      }
    })
  }

  /** An answer of success that is read as it comes. */
  stream(call: Call): Promise<OpenStream> {
    return this.#persist(call, async (link) => {
      const { status, headers, chunks } = await this.#options.transport.stream(this.#request(call, link.signal))
      const body = isSuccess(status) ? nothing : await wholeOf(chunks)
      return { status, headers, body, chunks, link }
    })
  }

  async #persist<Answer extends TransportResponse>(call: Call, attempt: (link: LinkedAbort) => Promise<Answer>): Promise<Answer> {
    const { clock, random } = this.#options
    for (let resends = 0, postponements = 0; ;) {
      let delay: number | undefined
      try {
        const answer = await this.#attempt(call, attempt)
        if (isSuccess(answer.status)) return answer
        delay = delayAsked(answer.status, answer.headers['retry-after'], postponements++, { now: clock.now(), random })
        if (delay === undefined) throw refusal(answer, nameOf(call))
      } catch (error) {
        delay = delayAfterError(error, call.method === 'GET', resends++, random)
        if (delay === undefined) throw error
      }
      this.#log.debug({ request: nameOf(call), host: this.#options.transport.host, delay }, 'the request is sent again')
      await clock.sleep(delay, call.signal)
    }
  }

  async #attempt<Answer extends TransportResponse>(call: Call, attempt: (link: LinkedAbort) => Promise<Answer>): Promise<Answer> {
    const { clock, metrics, transport } = this.#options
    if (call.signal?.aborted === true) throw abortReason(call.signal)
    const link = new LinkedAbort(call.signal)
    const cancel = clock.after(this.#timeout, () => link.abort(this.#timedOut(call)))
    const started = clock.monotonic()
    let status: number | '<error>' = '<error>'
    try {
      const answer = await attempt(link)
      status = answer.status
      this.#warnings.report(answer.headers['warning'])
      return answer
    } finally {
      cancel()
      if (status === '<error>' || !isSuccess(status)) link.release()
      metrics?.request(transport.host, call.method, status, (clock.monotonic() - started) / 1000)
    }
  }

  #request({ method, path, body, contentType = 'application/json' }: Call, signal: AbortSignal): TransportRequest {
    const headers = { accept: 'application/json', 'user-agent': this.#options.userAgent }
    if (body === undefined) return { method, path, headers, signal }
    return { method, path, headers: { ...headers, 'content-type': contentType }, body: JSON.stringify(body), signal }
  }

  #timedOut(call: Call): ConnectionError {
    const { host } = this.#options.transport
    const message = `${host} did not answer ${nameOf(call)} within ${this.#timeout / 1000} s: check how busy the server is`
    return new ConnectionError(message, timeoutCode)
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** A call in messages; its query says little and is long. */
export function nameOf({ method, path }: Call): string {
  const mark = path.indexOf('?')
  return `${method} ${mark < 0 ? path : path.slice(0, mark)}`
}

async function wholeOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
