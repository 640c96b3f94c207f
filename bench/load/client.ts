import { Pool } from 'undici'
import type { Credentials } from '../../test/support/windlass.ts'

export interface Answer {
  readonly status: number
  readonly bytes: number
  /** The body, where it was asked for. */
  readonly text: string
}

export interface Sending {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
  readonly type?: string
  /** Reading bodies into strings costs the generator time that the server does not see. */
  readonly keepsText?: boolean
}

/** HTTP/1.1 over TLS with keep-alive, one request at a time on each connection. */
export class LoadClient {
  readonly #pool: Pool
  readonly #headers: Readonly<Record<string, string>>
  readonly #prefix: string

  constructor({ server, ca, token }: Credentials, connections: number) {
    const { origin, pathname } = new URL(server)
    this.#prefix = pathname === '/' ? '' : pathname
    this.#pool = new Pool(origin, { connections, pipelining: 1, allowH2: false, connect: { ca }, bodyTimeout: 0, headersTimeout: 0 })
    this.#headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'windlass-bench' }
  }

  send({ method, path, body, type = 'application/json', keepsText = false }: Sending): Promise<Answer> {
    const headers = body === undefined ? this.#headers : { ...this.#headers, 'content-type': type }
    return new Promise((resolve, reject) => {
      let status = 0
      let bytes = 0
      const chunks: Buffer[] = []
      this.#pool.dispatch(
        { method, path: this.#prefix + path, headers, ...(body === undefined ? {} : { body }) },
        {
          onRequestStart() {},
          onResponseStart(_controller, code) {
            status = code
          },
          onResponseData(_controller, chunk) {
            bytes += chunk.length
            if (keepsText || status >= 400) chunks.push(chunk)
          },
          onResponseEnd() {
            resolve({ status, bytes, text: chunks.length === 0 ? '' : Buffer.concat(chunks).toString() })
          },
          onResponseError(_controller, error) {
            reject(error)
          },
        },
      )
    })
  }

  /** Opens a watch; resolves when the server has begun to answer. `onData` gets what comes, cut anywhere. */
  watch(path: string, onData: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pool.dispatch(
        { method: 'GET', path: this.#prefix + path, headers: this.#headers },
        {
          onRequestStart() {},
          onResponseStart(_controller, code) {
            if (code === 200) resolve()
            else reject(new Error(`the watch of ${path} was refused with ${code}`))
          },
          onResponseData: (_controller, chunk) => onData(chunk),
          onResponseEnd() {},
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}

/** The answer, or an error that shows what the server said instead. */
export async function expect(status: number, answer: Promise<Answer>): Promise<Answer> {
  const given = await answer
  if (given.status !== status) throw new Error(`expected ${status}, got ${given.status}: ${given.text.slice(0, 500)}`)
  return given
}
