import { setTimeout as sleep } from 'node:timers/promises'
import type { Credentials } from '../../test/support/windlass.ts'
import { bareWrite } from '../baselines/bare-writes.ts'
import { aPool, aStatusPatch, collectionPath, namespaceOf, objectPath, type Owner } from '../node-pool.ts'
import { expect } from './client.ts'
import { LeanClient } from './lean-client.ts'
import { closedLoop, type Extent, type Measured, sharedTime } from './measure.ts'

import { fanOut, type FanOut, type FanOutJob, watchLatency, type WatchLatencyJob } from './watches.ts'

interface Load {
  readonly at: Credentials
  readonly clients: number
}

/** What the generator can be asked for, and what it answers. Everything in here crosses from process to process as JSON. */
export interface Jobs {
  /** POSTs pools `from`, `from + 1`, …; into `namespace` when given. */
  create: (
    job: Load & { readonly from: number; readonly extent: Extent; readonly namespace?: string; readonly owner?: Owner },
  ) => Promise<Measured>
  /** Merge patches of the status of the first `objects` pools in turn, never twice the same. */
  patchStatus: (job: Load & { readonly objects: number; readonly from: number; readonly extent: Extent }) => Promise<Measured>
  /** The same, one patch after the other with a pause in between: when each was sent and when it was answered, on the shared clock. */
  patchStatusSlowly: (
    job: Omit<Load, 'clients'> & { readonly objects: number; readonly from: number; readonly count: number },
  ) => Promise<readonly { readonly sent: number; readonly answered: number }[]>
  /** GETs of the first `objects` pools, hopping so that neighbours in time are not neighbours in the store. */
  get: (job: Load & { readonly objects: number; readonly extent: Extent }) => Promise<Measured>
  /** GETs of one path, again and again. */
  repeat: (job: Load & { readonly path: string; readonly extent: Extent }) => Promise<Measured & { readonly bytes: number }>
  watchLatency: WatchLatencyJob
  fanOut: FanOutJob
  /** Milliseconds of CPU for one write without a server, in a process that does nothing else meanwhile. */
  bareWrite: (job: object) => Promise<number>
}

async function withClient<T>(at: Credentials, use: (client: LeanClient) => Promise<T>): Promise<T> {
  const client = new LeanClient(at)
  try {
    return await use(client)
  } finally {
    client.close()
  }
}

/** A prime, so that every object has its turn. */
const hop = 7919

/** Milliseconds in which whoever hears of a write has finished with it. */
const pause = 5

function patchStatus(
  client: LeanClient,
  { objects, from }: { readonly objects: number; readonly from: number },
  index: number,
): Promise<unknown> {
  const path = `${objectPath((index * hop) % objects)}/status`
  return expect(200, client.send({ method: 'PATCH', path, body: aStatusPatch(from + index), type: 'application/merge-patch+json' }))
}

export const jobs: Jobs = {
  create: (job) =>
    withClient(job.at, (client) =>
      closedLoop(job.clients, job.extent, (index) => {
        const { from, namespace = namespaceOf(from + index), owner } = job
        const body = aPool(from + index, namespace, owner)
        return expect(201, client.send({ method: 'POST', path: collectionPath(namespace), body }))
      }),
    ),
  patchStatus: (job) => withClient(job.at, (client) => closedLoop(job.clients, job.extent, (index) => patchStatus(client, job, index))),
  patchStatusSlowly: (job) =>
    withClient(job.at, async (client) => {
      const times: { readonly sent: number; readonly answered: number }[] = []
      while (times.length < job.count) {
        const sent = sharedTime()
        await patchStatus(client, job, times.length)
        times.push({ sent, answered: sharedTime() })
        await sleep(pause)
      }
      return times
    }),
  get: (job) =>
    withClient(job.at, (client) =>
      closedLoop(job.clients, job.extent, (index) =>
        expect(200, client.send({ method: 'GET', path: objectPath((index * hop) % job.objects) })),
      ),
    ),
  repeat: (job) =>
    withClient(job.at, async (client) => {
      let bytes = 0
      const measured = await closedLoop(job.clients, job.extent, async () => {
        ;({ bytes } = await expect(200, client.send({ method: 'GET', path: job.path })))
      })
      return { ...measured, bytes }
    }),
  watchLatency,
  fanOut,
  bareWrite: () => Promise.resolve(bareWrite()),
}

export type { FanOut }
