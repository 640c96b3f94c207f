import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { systemRandom, VirtualClock } from '@windlass/core'
import { ApiError, type Client, silentLog } from '@windlass/kube'
import type { ClusterRow } from '../../contract/index.ts'
import { createDashboard, type DashboardOptions } from '../dashboard.ts'
import type { Credential, Door } from '../sign-in/index.ts'
import { type FakeFleet, fakeFleet } from './fake-fleet.ts'

export interface Given {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly raw: Buffer
  readonly text: string
  json(): Record<string, unknown>
}

export interface AskOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** An open page, a browser that keeps cookies, and a fleet behind it. */
export async function aPage(rows: readonly ClusterRow[], options: Partial<DashboardOptions> = {}) {
  const clock = new VirtualClock()
  const fleet: FakeFleet = fakeFleet(rows)
  const dashboard = createDashboard({
    fleet,
    explain: (id) => Promise.resolve({ time: '2026-03-06T12:00:00Z', id, verdict: `${id} waits for nothing.`, chains: [], unknown: [] }),
    doors: [fakeDoor('east')],
    page: undefined,
    version: '0.0.0',
    allowsActions: false,
    clock,
    random: systemRandom,
    log: silentLog,
    ...options,
  })
  const server = await dashboard.listen({ host: '127.0.0.1', ports: [0] })
  let cookie: string | undefined

  const send = async (path: string, { method = 'GET', headers = {}, body }: AskOptions = {}): Promise<IncomingMessage> => {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const outgoing = request(`${server.url}${path}`, {
      method,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
    })
    outgoing.end(payload)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const [given] = incoming.headers['set-cookie'] ?? []
    if (given !== undefined) cookie = /Max-Age=0/.test(given) ? undefined : given.split(';')[0]
    return incoming
  }

  const ask = async (path: string, asked?: AskOptions): Promise<Given> => {
    const incoming = await send(path, asked)
    const chunks: Buffer[] = []
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const text = raw.toString('utf8')
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      raw,
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    }
  }

  return {
    fleet,
    clock,
    server,
    ask,
    get cookie() {
      return cookie
    },
    forget: () => void (cookie = undefined),
    signIn: (token: string) => ask('/api/v1/session', { method: 'POST', body: { token } }),
    useLink: () => ask('/api/v1/session', { method: 'POST', body: { code: new URL(server.link).hash.replace('#code=', '') } }),
    /** Reads events until told to stop. */
    async listen(path: string, headers: Readonly<Record<string, string>> = {}) {
      return eventsOf(await send(path, { headers }))
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

export interface ReadEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: unknown
}

/** Events one by one; comments are events named `:`. */
export function eventsOf(incoming: IncomingMessage) {
  const blocks = blocksOf(incoming)
  return {
    status: incoming.statusCode,
    headers: incoming.headers,
    async next(): Promise<ReadEvent | undefined> {
      for (;;) {
        const { value, done } = await blocks.next()
        if (done === true) return undefined
        const fields = new Map(value.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
        if (value.startsWith(':')) return { event: ':', id: undefined, data: undefined }
        if (fields.has('event'))
          return { event: fields.get('event') ?? '', id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') }
      }
    },
    leave: () => void incoming.destroy(),
  }
}

async function* blocksOf(incoming: IncomingMessage): AsyncGenerator<string> {
  let text = ''
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      text += chunk.toString('utf8')
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks
    }
  } catch {
    // The server has cut it off: it is over.
  }
}

type Rights = Readonly<Record<string, readonly ('hostedclusters' | 'clusterversions')[]>>

/** A member that knows some tokens, which are the names of their users, and what these may see. Writes are noted. */
export function fakeDoor(name: string, rights: Rights = { alice: ['hostedclusters', 'clusterversions'] }) {
  const writes: { readonly as: string; readonly patch: unknown }[] = []
  const door: Door & { readonly writes: typeof writes; rights: Rights; isDown: boolean } = {
    name,
    writes,
    rights,
    isDown: false,
    open: (credential) => fakeClient(credential, door),
  }
  return door
}

function fakeClient(credential: Credential, door: ReturnType<typeof fakeDoor>): Client {
  const user = credential.by === 'token' ? credential.token : credential.by === 'certificate' ? credential.user : 'root'
  const check = (): void => {
    if (door.isDown) throw new Error(`${door.name} cannot be reached`)
    if (user !== 'root' && door.rights[user] === undefined)
      throw new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }, 'POST')
  }
  const fake: Pick<Client, 'create' | 'patch' | 'close'> = {
    async create(kind, object) {
      check()
      const resource = (object as { spec?: { resourceAttributes?: { resource?: string } } }).spec?.resourceAttributes?.resource
      const isAllowed = user === 'root' || (door.rights[user] ?? []).some((right) => right === resource)
      const status = kind.kind === 'SelfSubjectReview' ? { userInfo: { username: user } } : { allowed: isAllowed }
      return { ...object, status } as never
    },
    async patch(_kind, _ref, patch) {
      check()
      if (user === 'bob') throw new ApiError({ code: 403, reason: 'Forbidden', message: 'User "bob" cannot patch hostedclusters' }, 'PATCH')
      door.writes.push({ as: user, patch })
      return {} as never
    },
    close: () => Promise.resolve(),
  }
  return fake as Client
}
