import { Agent, request as httpsRequest } from 'node:https'
import type { Credentials } from '../support/windlass.ts'
import { isWatch, type Request, urlOf } from './request.ts'

export interface Reply {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** How long a server may think before it counts as hanging. */
const patience = 20_000

/** Sends requests as they are, over connections that are kept. */
export class Sender {
  readonly #server: URL
  readonly #ca: string
  readonly #agent: Agent

  constructor({ server, ca }: Credentials, connections: number) {
    this.#server = new URL(server)
    this.#ca = ca
    this.#agent = new Agent({ ca, keepAlive: true, maxSockets: connections })
  }

  /** Without `token`, whatever the request itself brings. Rejects when there is no answer. */
  send(given: Request, token?: string): Promise<Reply> {
    const authorization = token === undefined || 'authorization' in given.headers ? {} : { authorization: `Bearer ${token}` }
    // Node sends the body of a DELETE without its length, and the server would take it for the next request.
    const length = given.body === undefined ? {} : { 'content-length': String(given.body.length) }
    const options = {
      host: this.#server.hostname,
      port: this.#server.port,
      ca: this.#ca,
      agent: this.#agent,
      method: given.method,
      path: urlOf(given),
      headers: { ...given.headers, ...authorization, ...length },
    }
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(options, (incoming) => {
        const chunks: Buffer[] = []
        const finish = (): void => {
          clearTimeout(limit)
          resolve({
            status: incoming.statusCode ?? 0,
            type: incoming.headers['content-encoding'] === 'gzip' ? 'gzip' : (incoming.headers['content-type'] ?? ''),
            text: Buffer.concat(chunks).toString('utf8'),
          })
        }
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          // A watch has shown that it works; going away in the middle of one is a part of the test.
          if (isWatch(given) && incoming.statusCode === 200) outgoing.destroy()
        })
        incoming.once('close', finish)
        incoming.on('error', () => {})
        if (isWatch(given) && incoming.statusCode === 200) setTimeout(() => outgoing.destroy(), 30)
      })
      const limit = setTimeout(() => outgoing.destroy(new Error(`no answer within ${patience} ms`)), patience)
      outgoing.once('error', (error) => {
        clearTimeout(limit)
        reject(error)
      })
      outgoing.end(given.body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
