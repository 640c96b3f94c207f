/** The least that keeps up with all NodePools of a server: one watch, JSON.parse of every line, a Map. No errors, no queue, no controllers. */
import type { NodePool } from '@windlass/api'
import type { Credentials } from '../../test/support/windlass.ts'
import { serveJobs } from '../job-process.ts'
import { expect, LoadClient, measureGets } from '../load/index.ts'
import { everywherePath, objectPath } from '../node-pool.ts'
import type { FollowerJobs } from '../operator/jobs.ts'
import { observeStrain } from '../operator/strain.ts'
import { Tally } from '../operator/tally.ts'
import { tallyJobs } from '../operator/tally-jobs.ts'

const tally = new Tally()
const pools = new Map<string, NodePool>()
const initially = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
let from = ''
let at: Credentials | undefined
let client: LoadClient | undefined
let onFilled = (): void => {}

async function watch(query: string): Promise<void> {
  if (at === undefined) throw new Error('follow comes first')
  let incomplete: Buffer = Buffer.alloc(0)
  client = new LoadClient(at, 1)
  await client.watch(`${everywherePath}?watch=true&${query}`, (chunk) => {
    const bytes = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk])
    const end = bytes.lastIndexOf(10)
    incomplete = bytes.subarray(end + 1)
    if (end > 0) for (const line of bytes.toString('utf8', 0, end).split('\n')) take(line)
  })
}

function take(line: string): void {
  const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: NodePool }
  const { namespace = '', name = '', resourceVersion = '' } = object.metadata
  from = resourceVersion
  if (type === 'BOOKMARK') onFilled()
  else {
    pools.set(`${namespace}/${name}`, object)
    tally.begin(object)
    tally.end()
  }
}

const jobs: FollowerJobs = {
  follow: async (job) => {
    const end = observeStrain()
    at = job.at
    const filled = new Promise<void>((resolve) => (onFilled = resolve))
    await watch(initially)
    await filled
    return end()
  },
  ...tallyJobs(tally),
  pause: async () => {
    await client?.close()
    return {}
  },
  catchUp: async ({ count }) => {
    tally.reset()
    const end = observeStrain()
    await watch(`resourceVersion=${from}`)
    await tally.reached(count)
    return end()
  },
  get: async ({ at, clients, extent }) => {
    const client = new LoadClient(at, clients)
    try {
      return await measureGets(clients, extent, async () => {
        const { text } = await expect(200, client.send({ method: 'GET', path: objectPath(0), keepsText: true }))
        return JSON.parse(text) as NodePool
      })
    } finally {
      await client.close()
    }
  },
}

serveJobs(jobs)
