import assert from 'node:assert/strict'
import { seededRandom, VirtualClock } from '@windlass/core'
import { Groups, type User } from '../auth/user.ts'
import { newPrivateKey } from '../auth/certificates/key-pair.ts'
import { ApiServer, type ApiServerOptions } from '../server/server.ts'
import { type Change, openMemoryStore, type Store } from '../storage/index.ts'
import { Client } from './client.ts'
import { gadgets, widgets } from './definitions.ts'

export interface TestServerOptions extends Partial<Omit<ApiServerOptions, 'clock' | 'onProblem'>> {
  readonly clock?: VirtualClock
}

export function userNamed(name: string, ...groups: string[]): User {
  return { name, uid: `${name}-uid`, groups: [...groups, Groups.authenticated], extra: {} }
}

export const admin = userNamed('admin', Groups.masters)

const tokenKey = newPrivateKey(seededRandom('token key'))

const definitions = [widgets, gadgets]
const start = Date.UTC(2026, 0, 1, 1)

/** A server with the kinds Widget and Gadget, an hour into 2026. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const isUsual = options.store === undefined && options.definitions === undefined && options.admission === undefined
  const server = await startOn(options, options.store ?? (isUsual ? await usualStore() : openMemoryStore()))
  await server.settle()
  return server
}

async function startOn(options: TestServerOptions, store: Store, seed = 'server'): Promise<TestServer> {
  const clock = options.clock ?? new VirtualClock({ start })
  const problems: string[] = []
  const api = await ApiServer.start({
    random: seededRandom(seed),
    authentication: { tokens: [{ token: 'admin-token', user: admin }], tokenKey },
    version: '1.2.3',
    definitions,
    ...options,
    store,
    clock,
    onProblem: (problem, error) => problems.push(`${problem}: ${error instanceof Error ? error.message : String(error)}`),
  })
  return new TestServer(api, clock, problems)
}

let usual: Promise<readonly Change[]> | undefined

/** What a new server writes first is always the same: it is written once, and every test goes on from there. */
async function usualStore(): Promise<Store> {
  usual ??= firstWrites()
  const changes = await usual
  const store = openMemoryStore()
  await store.write((transaction) => {
    for (const { key, bytes } of changes) transaction.put(key, () => bytes)
  })
  return store
}

async function firstWrites(): Promise<readonly Change[]> {
  const server = await startOn({}, openMemoryStore(), 'first writes')
  await server.settle()
  const changes = [...server.api.store.changes(1)]
  await server.api.stop()
  return changes
}

export class TestServer extends Client {
  readonly api: ApiServer
  readonly clock: VirtualClock
  /** What went wrong without an answer to tell it in. A test that expects some takes them out. */
  readonly problems: string[]

  constructor(api: ApiServer, clock: VirtualClock, problems: string[]) {
    super((request) => api.handle(request), admin)
    this.api = api
    this.clock = clock
    this.problems = problems
  }

  as(user: User | undefined): Client {
    return new Client((request) => this.api.handle(request), user)
  }

  /** Lets everything run that does not wait for time: watches, controllers, requests. */
  settle(): Promise<void> {
    return this.clock.settle()
  }

  get revision(): number {
    return this.api.store.revision()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api.stop()
    assert.deepEqual(this.problems, [])
  }
}
