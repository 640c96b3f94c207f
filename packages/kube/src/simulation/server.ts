import { type Change, kubeconfig } from '@windlass/apiserver'
import { admin, startTestServer, type TestServer } from '@windlass/apiserver/testing'
import { type Instant, seededRandom, type VirtualClock } from '@windlass/core'
import { inProcessTransport } from '../transport/in-process.ts'
import type { Transport } from '../transport/transport.ts'
import { type Actor, actingAs, type Cause } from './actor.ts'
import type { Base } from './base.ts'
import { RecordedStore } from './record/recorded-store.ts'
import type { StoredState } from './record/state.ts'
import { Write } from './record/write.ts'
import { WriteLog } from './record/write-log.ts'

export const host = 'simulation'

export interface SimulatedServerOptions {
  readonly base: Base
  readonly seed: string
  readonly clock: VirtualClock
  readonly onWrite: (write: Write) => void
}

/** The API server of a run, and everything that is written to it. */
export class SimulatedServer {
  readonly state: StoredState
  readonly log: WriteLog
  readonly #server: TestServer

  private constructor(server: TestServer, state: StoredState, start: Instant) {
    this.#server = server
    this.state = state
    this.log = new WriteLog(start)
  }

  static async start({ base, seed, clock, onWrite }: SimulatedServerOptions): Promise<SimulatedServer> {
    const store = new RecordedStore(base.store.copy())
    const random = seededRandom(`${seed}/server`)
    const server = await startTestServer({ store, clock, random, definitions: [], access })
    const simulated = new SimulatedServer(server, base.state.copy(), clock.now())
    const record = (change: Change): void => {
      const write = new Write(change, store.takeActor(change.revision), clock.now(), simulated.state.apply(change))
      simulated.log.add(write)
      onWrite(write)
    }
    store.subscribe((changes) => changes.forEach(record))
    server.api.reachable()
    return simulated
  }

  /** A way to the server on which nothing goes wrong. `path` is `/clusters/<name>` for a logical cluster. */
  transport(
    actor: Pick<Actor, 'process' | 'life'>,
    { path = '', cause }: { path?: string; cause?: () => Cause | undefined } = {},
  ): Transport {
    let requests = 0
    const { api } = this.#server
    return inProcessTransport(
      (request) => {
        const { method, url, headers } = request
        const userAgent = headers['user-agent'] ?? ''
        // An id that the request brings along spares the server making one up.
        const named = { ...request, headers: { ...headers, 'audit-id': `${actor.process}-${actor.life}-${++requests}` } }
        return actingAs({ ...actor, userAgent, request: `${method} ${url}`, cause: cause?.() }, () => api.handle(named))
      },
      { user: admin, prefix: path, host },
    )
  }

  /** What went wrong inside the server, with no answer to tell it in. */
  get problems(): readonly string[] {
    return this.#server.problems
  }

  /** Forgets the past: watches and lists from older revisions are told so. */
  compact(): Promise<void> {
    return this.#server.api.compact()
  }

  stop(): Promise<void> {
    return this.#server.api.stop()
  }
}

/** Logical clusters are reached by their path; the token is the same every time, for it is stored. */
function access(cluster: string): { url: string; kubeconfig: string } {
  const url = `https://${host}/clusters/${cluster}`
  return { url, kubeconfig: kubeconfig({ server: url, token: 'simulation', cluster }) }
}

/** The path of a server that a kubeconfig names, which must be the simulated one. */
export function pathIn(text: string): string {
  const found = new RegExp(`server: "?https://${host}(/clusters/[^"\\s]+)?"?\\s`).exec(text)
  if (found !== null) return found[1] ?? ''
  throw new Error(`a kubeconfig in a simulation must name https://${host}/clusters/<name>: only logical clusters can be reached`)
}
