import { generateKeyPairSync } from 'node:crypto'
import { rmSync } from 'node:fs'
import { seededRandom, systemClock } from '@windlass/core'
import { ApiServer, type ApiResponse, openLmdbStore, openMemoryStore, openSqliteStore, type Store } from '@windlass/apiserver'
import { until } from '../support/until.ts'
import { temporaryFolder } from '../support/windlass.ts'
import { definition } from './item.ts'
import { WatchInbox } from './watch-inbox.ts'

export type Engine = 'memory' | 'lmdb' | 'sqlite'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const { privateKey: tokenKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
/** default, kube-system, kube-public, kube-node-lease. */
const systemNamespaces = 4
const ownNamespaces = ['one', 'two']

const admin = { name: 'admin', uid: '', groups: ['system:masters'], extra: {} }

/** The server itself, asked in process, and everything that is open on it. */
export class Real {
  readonly problems: string[] = []
  readonly #engine: Engine
  readonly #directory: string | undefined
  #server: ApiServer | undefined
  #lives = 0

  private constructor(engine: Engine) {
    this.#engine = engine
    this.#directory = engine === 'memory' ? undefined : temporaryFolder()
  }

  static async start(engine: Engine): Promise<Real> {
    const real = new Real(engine)
    await real.#start()
    for (const name of ownNamespaces) {
      await real.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    }
    // From here on nothing but requests changes anything.
    await until('the default ServiceAccounts', async () => {
      const { body } = await real.send('GET', '/api/v1/serviceaccounts')
      return (body['items'] as readonly unknown[]).length >= systemNamespaces + ownNamespaces.length
    })
    return real
  }

  get canRestart(): boolean {
    return this.#directory !== undefined
  }

  get revision(): number {
    return this.#running.store.revision()
  }

  async send(method: string, url: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const bytes = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }
    const response = await this.#running.handle({ method, url, user: admin, headers: { 'content-type': type }, ...bytes })
    const text = whole(response).toString('utf8')
    response.release?.()
    return { status: response.status, body: JSON.parse(text) as Answer['body'] }
  }

  /** Opens a watch, or opens it again behind the last event that it has shown. */
  async watch(inbox: WatchInbox): Promise<void> {
    const { signal, url } = inbox.open()
    const response = await this.#running.handle({ method: 'GET', url, user: admin, headers: {}, signal })
    if (response.watch === undefined) throw new Error(`${url}: ${response.status} ${whole(response).toString('utf8')}`)
    void response.watch(inbox, signal)
  }

  async restart(): Promise<void> {
    await this.#running.stop()
    await this.#start()
  }

  async close(): Promise<void> {
    await this.#running.stop()
    if (this.#directory !== undefined) rmSync(this.#directory, { recursive: true, force: true })
  }

  get #running(): ApiServer {
    if (this.#server === undefined) throw new Error('there is no server')
    return this.#server
  }

  async #start(): Promise<void> {
    this.#server = await ApiServer.start({
      store: await this.#store(),
      clock: systemClock,
      random: seededRandom(`life ${++this.#lives}`),
      authentication: { tokens: [], tokenKey },
      version: '0.0.0',
      definitions: [definition],
      onProblem: (problem, error) => this.problems.push(`${problem}: ${error instanceof Error ? error.stack : String(error)}`),
    })
  }

  #store(): Store | Promise<Store> {
    if (this.#directory === undefined) return openMemoryStore()
    const options = { directory: this.#directory }
    return this.#engine === 'lmdb' ? openLmdbStore(options) : openSqliteStore(options)
  }
}

function whole({ body }: ApiResponse): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.isBuffer(body) ? body : Buffer.concat([...body])
}
