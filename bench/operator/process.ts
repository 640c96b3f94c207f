/** An operator as programs of users are one: connects over HTTPS, fills its caches, looks at every pool that changes. */
import { NodePool } from '@windlass/api'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import {
  createClient,
  createMetrics,
  createOperator,
  fixedCredentials,
  HttpsTransport,
  type RestClient,
  silentLog,
  type Transport,
} from '@windlass/kube'
import type { Credentials } from '../../test/support/windlass.ts'
import { serveJobs } from '../job-process.ts'
import { measureGets } from '../load/index.ts'
import { nameOf, namespaceOf } from '../node-pool.ts'
import { lookingAtPools } from './controller.ts'
import { measureFeed } from './feed.ts'
import type { OperatorJobs } from './jobs.ts'
import { PausableTransport } from './pausable-transport.ts'
import { observeStrain } from './strain.ts'
import { Tally } from './tally.ts'
import { tallyJobs } from './tally-jobs.ts'

/** Milliseconds: watches wait that long at least while they are held back. */
const timeout = 600_000
const metrics = createMetrics({ process: true })
const tally = new Tally()
let transport: PausableTransport | undefined

function connect({ server, ca, token }: Credentials): Transport {
  return new HttpsTransport({ server, ca, credentials: fixedCredentials({ headers: { authorization: `Bearer ${token}` } }) })
}

function clientOf(transport: Transport): RestClient {
  return createClient({ transport, clock, random, metrics, userAgent: 'windlass-bench', fieldManager: 'windlass-bench', timeout })
}

const jobs: OperatorJobs = {
  follow: async ({ at, keeps, work }) => {
    const end = observeStrain()
    transport = new PausableTransport(connect(at))
    const controllers = [lookingAtPools({ keeps, work }, tally)]
    const manager = createOperator({ client: clientOf(transport), clock, random, log: silentLog, metrics, controllers, instance: 'bench' })
    const filled = new Promise<void>((resolve) => {
      manager.add({ name: 'filled', needsLeadership: false, run: (signal) => (resolve(), untilAborted(signal)) })
    })
    await Promise.race([filled, manager.run(new AbortController().signal)])
    return end()
  },
  ...tallyJobs(tally),
  pause: async () => {
    transport?.pause()
    return {}
  },
  catchUp: async ({ count }) => {
    tally.reset()
    const end = observeStrain()
    transport?.resume()
    await tally.reached(count)
    return end()
  },
  get: async ({ at, clients, extent }) => {
    const client = clientOf(connect(at))
    const ref = { namespace: namespaceOf(0), name: nameOf(0) }
    try {
      return await measureGets(clients, extent, () => client.get(NodePool, ref))
    } finally {
      await client.close()
    }
  },
  feed: async ({ at, objects, rounds }) => {
    const client = clientOf(connect(at))
    try {
      return await measureFeed(client, metrics, objects, rounds)
    } finally {
      await client.close()
    }
  },
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

serveJobs(jobs)
