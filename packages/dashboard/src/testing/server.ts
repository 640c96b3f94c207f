import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatTime } from '@windlass/core'
import type {
  ActionRequest,
  ClusterRow,
  ClusterView,
  FleetView,
  MemberView,
  ProblemView,
  SessionView,
  UpgradeView,
  WhyView,
} from '@windlass/fleet/contract'
import { clusterOf } from './clusters.ts'
import { exposureOf } from './exposure.ts'
import { figuresOf } from './figures.ts'
import { sendFile } from './files.ts'
import { membersOf } from './sample.ts'
import { Streams } from './streams.ts'
import { scriptedNow } from './time.ts'
import { whyOf } from './why.ts'

export interface ScriptedServerOptions {
  /** The built files. */
  readonly folder: string
  readonly rows: readonly ClusterRow[]
  readonly mayAct?: boolean
  /** Signed in without being asked. */
  readonly isOpen?: boolean
}

/** The code that signs in, and the token. */
export const scriptedCode = 'open-sesame'
export const scriptedToken = 'a-token-of-the-cluster'

/**
 * A server that answers as that of a fleet does, with what a test has told it.
 *
 * It stands in for the real one where a page must be seen in a state that is hard to bring about, and where ten thousand clusters would take an hour to make.
 */
export class ScriptedServer {
  readonly #rows: Map<string, ClusterRow>
  #members: readonly MemberView[]
  readonly #options: ScriptedServerOptions
  readonly #server = createServer((request, response) => this.#answer(request, response))
  readonly #streams = new Streams()
  readonly actions: ActionRequest[] = []
  #fleetText: string | undefined
  #isSignedIn: boolean
  #problem: ProblemView | undefined
  readonly #problemsAt = new Map<string, ProblemView>()
  readonly #reasons = new Map<string, WhyView>()
  readonly #upgrades = new Map<string, UpgradeView>()
  #delay: Promise<void> | undefined

  constructor(options: ScriptedServerOptions) {
    this.#options = options
    this.#rows = new Map(options.rows.map((row) => [row.id, row]))
    this.#members = membersOf(options.rows)
    this.#isSignedIn = options.isOpen ?? true
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#streams.drop()
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  row(id: string): ClusterRow {
    const row = this.#rows.get(id)
    if (row === undefined) throw new Error(`the scripted fleet has no ${id}; it has ${[...this.#rows.keys()].slice(0, 5).join(', ')}, …`)
    return row
  }

  /** Rows take the place of those with the same id, and everybody who looks is told. */
  change(rows: readonly ClusterRow[], removed: readonly string[] = []): void {
    this.#fleetText = undefined
    for (const row of rows) this.#rows.set(row.id, row)
    for (const id of removed) this.#rows.delete(id)
    const time = this.#time()
    this.#streams.send('fleet', 'change', { time, clusters: rows, removed, figures: figuresOf(this.#rows.values()) })
    for (const row of rows) this.#streams.send(row.id, 'cluster', this.#cluster(row))
    for (const id of removed) this.#streams.send(id, 'gone', { id })
  }

  changeMembers(members: readonly MemberView[]): void {
    this.#members = members
    this.#fleetText = undefined
    this.#streams.send('fleet', 'change', { time: this.#time(), clusters: [], removed: [], members })
  }

  get members(): readonly MemberView[] {
    return this.#members
  }

  /** Ends every connection that is followed, as a proxy or a restart does. */
  dropStreams(): void {
    this.#streams.drop()
  }

  /** From now on every question has this answer; undefined ends that. */
  failWith(problem: ProblemView | undefined): void {
    this.#problem = problem
  }

  /** The same for one kind of question: `exposure`, `why`. */
  failAt(question: string, problem: ProblemView | undefined): void {
    if (problem === undefined) this.#problemsAt.delete(question)
    else this.#problemsAt.set(question, problem)
  }

  /** Why a cluster waits, instead of what its row suggests. */
  explain(why: WhyView): void {
    this.#reasons.set(why.id, why)
  }

  /** The managed upgrade of a cluster, and everybody who looks is told. */
  changeUpgrade(id: string, upgrade: UpgradeView): void {
    this.#upgrades.set(id, upgrade)
    this.#streams.send(id, 'cluster', this.#cluster(this.row(id)))
  }

  /** Answers wait for this; undefined ends that. */
  holdFor(delay: Promise<void> | undefined): void {
    this.#delay = delay
  }

  /** Forgets who is signed in. */
  signEverybodyOut(): void {
    this.#isSignedIn = false
  }

  #cluster(row: ClusterRow): ClusterView {
    const upgrade = this.#upgrades.get(row.id)
    return { ...clusterOf(row, this.#time()), ...(upgrade === undefined ? {} : { upgrade }) }
  }

  #time(): string {
    return formatTime(scriptedNow())
  }

  /** As JSON. Written once, as a server of a large fleet does. */
  #fleet(): string {
    if (this.#fleetText === undefined) {
      const rows = [...this.#rows.values()]
      const view: FleetView = { time: this.#time(), members: this.#members, figures: figuresOf(rows), clusters: rows }
      this.#fleetText = JSON.stringify(view)
    }
    return this.#fleetText
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (!url.pathname.startsWith('/api/')) return sendFile(this.#options.folder, url.pathname, request, response)
    void this.#answerQuestion(url, request, response).catch((error: unknown) => refuse(response, 500, String(error)))
  }

  async #answerQuestion(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url.pathname.slice('/api/v1/'.length)
    if (path === 'session') return this.#answerSession(request, response)
    await this.#delay
    if (!this.#isSignedIn) return refuse(response, 401, 'Sign in first.')
    const problem = this.#problem ?? this.#problemsAt.get(path.split('/').at(-1) ?? '')
    if (problem !== undefined) return refuse(response, problem.code, problem.message)
    const rows = [...this.#rows.values()]
    const time = this.#time()
    if (path === 'fleet') return reply(response, 200, this.#fleet())
    if (path === 'stream') return this.#streams.open('fleet', 'fleet', this.#fleet(), response)
    if (path === 'exposure') return reply(response, 200, exposureOf(rows, (url.searchParams.get('fixed-in') ?? '').split(','), time))
    if (path.startsWith('clusters/')) return this.#answerCluster(path.split('/').slice(1).map(decodeURIComponent), request, response)
    refuse(response, 404, `There is nothing at ${url.pathname}.`)
  }

  async #answerCluster(parts: readonly string[], request: IncomingMessage, response: ServerResponse): Promise<void> {
    const below = parts.length % 2 === 0 ? parts.at(-1) : undefined
    const id = (below === undefined ? parts : parts.slice(0, -1)).join('/')
    const row = this.#rows.get(id)
    if (row === undefined) return refuse(response, 404, `The fleet has no cluster ${id}.`)
    if (below === undefined) return reply(response, 200, this.#cluster(row))
    if (below === 'stream') return this.#streams.open(id, 'cluster', this.#cluster(row), response)
    if (below === 'why') return reply(response, 200, this.#reasons.get(id) ?? whyOf(row, this.#time()))
    if (below !== 'actions' || request.method !== 'POST') return refuse(response, 404, `There is no ${below} of ${id}.`)
    const action = (await bodyOf(request)) as ActionRequest
    if (action.do === 'upgrade' && !action.image.includes('/'))
      return refuse(response, 422, `${action.image} is not the pull spec of a release image.`)
    this.actions.push(action)
    reply(response, 200, { message: `${row.name}: ${action.do} was asked for.` })
  }

  async #answerSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const view: SessionView = { user: 'sre@example.com', mayAct: this.#options.mayAct ?? false, version: '0.1.0' }
    if (request.method === 'DELETE') {
      this.#isSignedIn = false
      return reply(response, 200, {})
    }
    if (request.method === 'POST') {
      const { code, token } = (await bodyOf(request)) as { readonly code?: string; readonly token?: string }
      if (code !== scriptedCode && token !== scriptedToken) {
        return refuse(
          response,
          401,
          code === undefined ? 'The cluster does not know this token.' : 'This link has been used or is too old. Ask for a new one.',
        )
      }
      this.#isSignedIn = true
    }
    if (!this.#isSignedIn) return refuse(response, 401, 'Sign in first.')
    reply(response, 200, view)
  }
}

function reply(response: ServerResponse, code: number, body: unknown): void {
  response
    .writeHead(code, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
}

function refuse(response: ServerResponse, code: number, message: string): void {
  const problem: ProblemView = { code, message }
  reply(response, code, problem)
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}
