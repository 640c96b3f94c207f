import type { Clock } from '@windlass/core'
import { abortReason, ConnectionError, LinkedAbort, type Transport, type TransportRequest } from '@windlass/kube'

/** What a request came to: an answer, whatever its status, or why there is none. */
export type Outcome = Answer | NoAnswer

export interface Answer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface NoAnswer {
  /** Names the server and says what to do. */
  readonly problem: string
  /** Nothing of it was sent, so that it cannot have had any effect. */
  readonly isUnsent: boolean
}

/** The way to a server. */
export interface Way {
  /** As people know it: the address without anything secret. */
  readonly server: string
  readonly transport: Transport
  readonly clock: Clock
  /** Milliseconds for the whole of a request. */
  readonly limit: number
}

/**
 * One request. Never rejects but for the caller's own signal: who stops asking gets no answer.
 */
export async function exchange(
  { server, transport, clock, limit }: Way,
  request: Omit<TransportRequest, 'signal'>,
  signal: AbortSignal,
): Promise<Outcome> {
  const abort = new LinkedAbort(signal)
  const cancel = clock.after(limit, () => abort.abort(new LateError(server, limit)))
  try {
    const { status, headers, body } = await transport.send({ ...request, signal: abort.signal })
    return { status, headers, body: body.toString('utf8') }
  } catch (error) {
    if (signal.aborted) throw abortReason(signal)
    const problem = error instanceof Error ? error.message : String(error)
    return { problem, isUnsent: error instanceof ConnectionError && error.isUnsent }
  } finally {
    cancel()
    abort.release()
  }
}

class LateError extends Error {
  constructor(server: string, limit: number) {
    super(
      `${server} did not answer within ${Math.ceil(limit / 1000)} s: check how busy it is, and whether something between here and there is broken`,
    )
  }
}

export function isWell(outcome: Outcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300
}

/** The value of a body, or undefined when it is no JSON. */
export function jsonOf({ body }: Pick<Answer, 'body'>): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** What a server says was wrong, in one short line: servers send whole pages, and what they send ends up in conditions and logs. */
export function complaintOf(body: string, ...fields: readonly string[]): string {
  const value = jsonOf({ body })
  const record = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const said = typeof value === 'string' ? value : fields.map((field) => record[field]).find((text) => typeof text === 'string')
  const text = typeof said === 'string' ? said : value === undefined && !body.trimStart().startsWith('<') ? body : ''
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line === '' ? '' : `: ${line.length > longest ? `${line.slice(0, longest)}…` : line}`
}

const longest = 200
