import { NodePool } from '@windlass/api'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import {
  type Client,
  createController,
  createSharedCache,
  type RuntimeMetrics,
  silentLog,
  type Watch,
  type WatchEvent,
  type WatchOptions,
} from '@windlass/kube'
import { lookingAtPools } from './controller.ts'
import { observeStrain, type Strain } from './strain.ts'
import { Tally } from './tally.ts'

type Events = readonly WatchEvent<NodePool>[]

/** As many as come in one piece over the network. */
const together = 100

/**
 * From events that are decoded already to passes: cache, queue and controller without the network, and without JSON.
 *
 * Every event brings an object of its own, as parsing would make it: comparing it with what is known is part of the work.
 */
export async function measureFeed(client: Client, metrics: RuntimeMetrics, objects: number, rounds: number): Promise<readonly Strain[]> {
  const pools = await firstOf(client.list(NodePool), objects)
  const feed = new Feed(pools)
  const tally = new Tally()
  const cache = createSharedCache({ client: feed, clock, random, metrics })
  const runtime = { client, cache, clock, random, log: silentLog, events: { record() {} }, metrics }
  const controller = createController(lookingAtPools({ keeps: 'everything', work: 'nothing' }, tally), runtime)
  const stop = new AbortController()
  const running = Promise.all([cache.run(stop.signal), controller.run(stop.signal)])
  await tally.reached(objects)
  const strains: Strain[] = []
  for (let round = 1; round <= rounds; round++) {
    const batches = changesOf(pools, round)
    globalThis.gc?.()
    tally.reset()
    const end = observeStrain()
    feed.push(batches)
    await tally.reached(objects)
    strains.push(await end())
  }
  stop.abort()
  await running
  return strains
}

async function firstOf<T>(items: AsyncIterable<T>, count: number): Promise<readonly T[]> {
  const first: T[] = []
  for await (const item of items) if (first.push(item) >= count) break
  return first
}

/** Stands in for the server: one watch, which brings what it is given. */
class Feed implements Pick<Client, 'pages' | 'watch'> {
  readonly #initial: readonly NodePool[]
  readonly #batches: Events[] = []
  #wake = (): void => {}

  constructor(initial: readonly NodePool[]) {
    this.#initial = initial
  }

  push(batches: readonly Events[]): void {
    this.#batches.push(...batches)
    this.#wake()
  }

  pages(): never {
    throw new Error('nothing is listed here')
  }

  async watch<T>(_kind: unknown, { signal }: WatchOptions = {}): Promise<Watch<T>> {
    const stream = this.#stream(signal)
    signal?.addEventListener('abort', () => this.#wake(), { once: true })
    // There is one kind only.
    return { [Symbol.asyncIterator]: () => stream as AsyncGenerator<never>, close() {} }
  }

  async *#stream(signal: AbortSignal | undefined): AsyncGenerator<Events> {
    const annotations = { 'k8s.io/initial-events-end': 'true' }
    const object = { ...NodePool, metadata: { resourceVersion: versionOf(0, this.#initial.length), annotations } }
    yield [...this.#initial.map((object) => ({ type: 'ADDED', object }) as const), { type: 'BOOKMARK', object }]
    for (;;) {
      if (signal?.aborted === true) return
      const batch = this.#batches.shift()
      if (batch !== undefined) yield batch
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

function changesOf(pools: readonly NodePool[], round: number): readonly Events[] {
  const batches: Events[] = []
  for (let from = 0; from < pools.length; from += together) {
    batches.push(
      pools.slice(from, from + together).map((pool, index) => ({ type: 'MODIFIED', object: changed(pool, round, from + index) })),
    )
  }
  return batches
}

function changed(pool: NodePool, round: number, index: number): NodePool {
  const metadata = { ...pool.metadata, resourceVersion: versionOf(round, index) }
  const status = { ...pool.status, replicas: round }
  return JSON.parse(JSON.stringify({ ...pool, metadata, status })) as NodePool
}

/** Later than anything that the server has said. */
function versionOf(round: number, index: number): string {
  return String(1e12 + round * 1e6 + index)
}
