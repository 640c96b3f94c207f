import type { ControllerMetrics, QueueGauges, QueueMetrics, RuntimeMetrics } from '../metrics/index.ts'

type CacheSource = Parameters<RuntimeMetrics['cache']>[1]

interface CachePool {
  readonly sources: Set<CacheSource>
  /** Of members that are gone: a counter must not go back. */
  restarts: number
  lists: number
}

interface QueuePool {
  readonly gauges: Set<QueueGauges>
  readonly metrics: QueueMetrics
}

/** The metrics of one cluster. Disposed of when it ends. */
export type MemberMetrics = RuntimeMetrics & Disposable

/**
 * The metrics of many clusters as if they were one: what has the same name is added up. A label for each cluster would make ten thousand series
 * of each of them; which cluster it is that has a problem is in its status.
 */
export class PooledMetrics {
  readonly #metrics: RuntimeMetrics
  readonly #caches = new Map<string, CachePool>()
  readonly #queues = new Map<string, QueuePool>()
  readonly #workers = new Map<string, number>()

  constructor(metrics: RuntimeMetrics) {
    this.#metrics = metrics
  }

  member(): MemberMetrics {
    const leave: (() => void)[] = []
    const workers = new Map<string, number>()
    leave.push(() => {
      for (const [name, count] of workers) this.#employ(name, -count)
    })
    return {
      controller: (name, maxConcurrent) => {
        const before = workers.get(name) ?? 0
        workers.set(name, maxConcurrent)
        return this.#employ(name, maxConcurrent - before)
      },
      queue: (name, source) => {
        const pool = this.#queue(name)
        pool.gauges.add(source)
        leave.push(() => pool.gauges.delete(source))
        return pool.metrics
      },
      cache: (name, source) => {
        const pool = this.#cache(name)
        pool.sources.add(source)
        leave.push(() => retire(pool, source))
      },
      request: (host, method, status, seconds) => this.#metrics.request(host, method, status, seconds),
      leader: (lease, isLeader) => this.#metrics.leader(lease, isLeader),
      [Symbol.dispose]: () => {
        for (const undo of leave.splice(0)) undo()
      },
    }
  }

  #employ(name: string, more: number): ControllerMetrics {
    const total = (this.#workers.get(name) ?? 0) + more
    this.#workers.set(name, total)
    return this.#metrics.controller(name, total)
  }

  #queue(name: string): QueuePool {
    const known = this.#queues.get(name)
    if (known !== undefined) return known
    const gauges = new Set<QueueGauges>()
    const pool = { gauges, metrics: this.#metrics.queue(name, together(gauges)) }
    this.#queues.set(name, pool)
    return pool
  }

  #cache(name: string): CachePool {
    const known = this.#caches.get(name)
    if (known !== undefined) return known
    const pool: CachePool = { sources: new Set(), restarts: 0, lists: 0 }
    this.#caches.set(name, pool)
    this.#metrics.cache(name, () => total(pool))
    return pool
  }
}

/** Each began to watch once; as a whole they do too, so that what is counted are the times they had to begin again. */
function total({ sources, restarts, lists }: CachePool): ReturnType<CacheSource> {
  const sum = { objects: 0, lists, watches: 1 + restarts }
  for (const source of sources) {
    const one = source()
    sum.objects += one.objects
    sum.lists += one.lists
    sum.watches += Math.max(0, one.watches - 1)
  }
  return sum
}

function retire(pool: CachePool, source: CacheSource): void {
  const { lists, watches } = source()
  pool.sources.delete(source)
  pool.lists += lists
  pool.restarts += Math.max(0, watches - 1)
}

function together(gauges: ReadonlySet<QueueGauges>): QueueGauges {
  return {
    depths() {
      const depths = new Map<number, number>()
      for (const each of gauges) for (const [priority, depth] of each.depths()) depths.set(priority, (depths.get(priority) ?? 0) + depth)
      return depths
    },
    unfinishedSeconds: () => gauges.values().reduce((sum, each) => sum + each.unfinishedSeconds(), 0),
    longestRunningSeconds: () => gauges.values().reduce((longest, each) => Math.max(longest, each.longestRunningSeconds()), 0),
  }
}
