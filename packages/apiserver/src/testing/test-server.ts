import assert from 'node:assert/strict'
import { seededRandom, VirtualClock } from '@windlass/core'
import { Groups, type User } from '../auth/user.ts'
import { newPrivateKey } from '../auth/certificates/key-pair.ts'
import { ApiServer, type ApiServerOptions } from '../server/server.ts'
import { openMemoryStore } from '../storage/index.ts'
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

/** A server with the kinds Widget and Gadget, an hour into 2026. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const clock = options.clock ?? new VirtualClock({ start: Date.UTC(2026, 0, 1, 1) })
  const problems: string[] = []
  const api = await ApiServer.start({
    store: openMemoryStore(),
    random: seededRandom('server'),
    authentication: { tokens: [{ token: 'admin-token', user: admin }], tokenKey },
    version: '1.2.3',
    definitions: [widgets, gadgets],
    ...options,
    clock,
    onProblem: (problem, error) => problems.push(`${problem}: ${error instanceof Error ? error.message : String(error)}`),
  })
  const server = new TestServer(api, clock, problems)
  await server.settle()
  return server
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
