import { Agent as PlainAgent, request as httpRequest } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { Credentials } from './windlass.ts'

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The plainest client there is: one request, one answer, no retries and no interpretation. */
export function client({ server, ca, token }: Credentials) {
  const base = new URL(server)
  const isPlain = base.protocol === 'http:'
  const sockets = { keepAlive: true, maxSockets: 32 }
  const agent = isPlain ? new PlainAgent(sockets) : new Agent({ ca, ...sockets })
  const request = isPlain ? httpRequest : httpsRequest
  const prefix = base.pathname.replace(/\/$/, '')

  function send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const payload = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    // Node names the length of a body by itself, but not of a DELETE's.
    const described = payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(payload.length) }
    const all = { authorization: `Bearer ${token}`, ...described, ...headers }
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: base.hostname, port: base.port, path: prefix + path, method, headers: all, agent }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed(text) })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(payload)
    })
  }

  async function expect(status: number, answer: Promise<Answer>): Promise<Answer['body']> {
    const given = await answer
    if (given.status !== status) throw new Error(`expected ${status}, got ${given.status}: ${JSON.stringify(given.body)}`)
    return given.body
  }

  return {
    send,
    get: (path: string) => expect(200, send('GET', path)),
    create: (path: string, object: unknown) => expect(201, send('POST', path, object)),
    merge: (path: string, change: unknown) => expect(200, send('PATCH', path, change, { 'content-type': 'application/merge-patch+json' })),
    remove: (path: string) => expect(200, send('DELETE', path)),
    close: () => agent.destroy(),
  }
}

export type Client = ReturnType<typeof client>

function parsed(text: string): Answer['body'] {
  try {
    return JSON.parse(text) as Answer['body']
  } catch {
    return { text }
  }
}
