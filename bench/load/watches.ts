import type { Credentials } from '../../test/support/windlass.ts'
import { aStatusPatch, collectionPath, namespaceOf, objectPath } from '../node-pool.ts'
import { expect, LoadClient } from './client.ts'
import { type Latency, latencyOf } from './measure.ts'

/**
 * One writer that waits for the event before it writes again, and `watchers` who all hear of it. Times count from the moment at which the
 * writer has its answer, which leaves when the write is durable; an event that overtakes the answer counts as 0.
 */
export type WatchLatencyJob = (job: {
  readonly at: Credentials
  readonly watchers: number
  readonly writes: number
}) => Promise<{ readonly afterAnswer: Latency; readonly afterSending: Latency }>

/** Many writers at once and `watchers` who all hear of everything, as fast as it goes. */
export type FanOutJob = (job: { readonly at: Credentials; readonly watchers: number; readonly writes: number }) => Promise<FanOut>

export interface FanOut {
  readonly deliveriesPerSecond: number
  readonly writesPerSecond: number
  readonly megabytesPerSecond: number
}

const writers = 32

/** All watchers look at the first namespace. */
const watched = `${collectionPath(namespaceOf(0))}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`
const watchedObjects = 500

function patch(client: LoadClient, round: number): Promise<unknown> {
  const path = `${objectPath(round % watchedObjects)}/status`
  return expect(200, client.send({ method: 'PATCH', path, body: aStatusPatch(round), type: 'application/merge-patch+json' }))
}

async function open(at: Credentials, count: number, onData: (chunk: Buffer) => void): Promise<LoadClient> {
  const client = new LoadClient(at, count)
  await Promise.all(Array.from({ length: count }, () => client.watch(watched, onData)))
  return client
}

/** Where a run begins to count its patches, so that no run repeats what another wrote. */
let rounds = 0

export const watchLatency: WatchLatencyJob = async ({ at, watchers, writes }) => {
  const writer = new LoadClient(at, 1)
  let arrivals: number[] = []
  let heard = (): void => {}
  const watching = await open(at, watchers, (chunk) => {
    const now = performance.now()
    for (let lines = linesIn(chunk); lines > 0; lines--) arrivals.push(now)
    if (arrivals.length >= watchers) heard()
  })
  const afterAnswer: number[] = []
  const afterSending: number[] = []
  try {
    for (let index = 0; index < writes; index++) {
      arrivals = []
      const all = new Promise<void>((resolve) => (heard = resolve))
      const sent = performance.now()
      await patch(writer, rounds++)
      const answered = performance.now()
      await all
      for (const arrival of arrivals) {
        afterAnswer.push(Math.max(0, arrival - answered))
        afterSending.push(arrival - sent)
      }
    }
  } finally {
    await Promise.all([writer.close(), watching.close()])
  }
  return { afterAnswer: latencyOf(afterAnswer), afterSending: latencyOf(afterSending) }
}

export const fanOut: FanOutJob = async ({ at, watchers, writes }) => {
  const writer = new LoadClient(at, writers)
  const expected = watchers * writes
  let delivered = 0
  let bytes = 0
  let done = (): void => {}
  const all = new Promise<void>((resolve) => (done = resolve))
  const watching = await open(at, watchers, (chunk) => {
    delivered += linesIn(chunk)
    bytes += chunk.length
    if (delivered >= expected) done()
  })
  try {
    const started = performance.now()
    let next = 0
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (next++ < writes) await patch(writer, rounds++)
      }),
    )
    const written = performance.now() - started
    await all
    const seconds = (performance.now() - started) / 1000
    return {
      deliveriesPerSecond: expected / seconds,
      writesPerSecond: (writes * 1000) / written,
      megabytesPerSecond: bytes / 1e6 / seconds,
    }
  } finally {
    await Promise.all([writer.close(), watching.close()])
  }
}

/** Every event is one line. */
function linesIn(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  return count
}
