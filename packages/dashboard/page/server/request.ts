import type { ProblemView } from '@windlass/fleet/contract'

/** Thrown when the server did not give what it was asked for. Its message is for people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  /** The HTTP status; 0 when there was no answer. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Told when the server no longer knows who asks. */
let signedOut: () => void = () => {}

export function whenSignedOut(run: () => void): void {
  signedOut = run
}

interface Question {
  readonly method?: 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Asks the server. Errors: `Problem`. */
export async function ask<T>(path: string, init: Question = {}): Promise<T> {
  const response = await fetch(path, { ...init, headers: { accept: 'application/json', ...init.headers } }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new Problem(0, 'The server does not answer.')
  })
  if (!response.ok) throw await problemIn(response)
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T)
}

/** Why something is refused that a browser does not tell, because it was to be followed; undefined when it is not. */
export async function refusalOf(path: string): Promise<Problem | undefined> {
  const abort = new AbortController()
  try {
    const response = await fetch(path, { signal: abort.signal })
    return response.ok ? undefined : await problemIn(response)
  } catch {
    return new Problem(0, 'The server does not answer.')
  } finally {
    abort.abort()
  }
}

/** Gives the server something to do. Errors: `Problem`. */
export function send<T>(path: string, body: unknown): Promise<T> {
  return ask<T>(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

async function problemIn(response: Response): Promise<Problem> {
  if (response.status === 401) signedOut()
  const body: unknown = await response.json().catch(() => undefined)
  return new Problem(response.status, messageIn(body) ?? `The server answered with status ${response.status}.`)
}

function messageIn(body: unknown): string | undefined {
  const { message } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ProblemView>
  return typeof message === 'string' ? message : undefined
}
