import { Buckets } from './buckets.ts'
import type { ControllerMetrics, QueueGauges, QueueMetrics, ReconcileResult, RuntimeMetrics } from './metrics.ts'

/** The bounds that dashboards for controller-runtime and client-go expect, in seconds. */
const reconcileBounds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5,
  5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
]
const queueBounds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000]
const requestBounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]
const staleReadBounds = [0.0001, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** With thousands of clusters each host would be a label value of its own. */
const mostHosts = 100
const otherHosts = 'other'

export type CacheSource = () => { readonly objects: number; readonly lists: number; readonly watches: number }

/** Everything that was reported, as plain numbers. */
export class Tallies implements RuntimeMetrics {
  readonly controllers = new Map<string, ControllerTally>()
  readonly queues = new Map<string, QueueTally>()
  readonly caches = new Map<string, CacheSource[]>()
  readonly hosts = new Map<string, Map<string, MethodTally>>()
  readonly leaders = new Map<string, boolean>()
  readonly staleReads = new Buckets(staleReadBounds)

  controller(name: string, maxConcurrent: number): ControllerMetrics {
    let tally = this.controllers.get(name)
    if (tally === undefined) this.controllers.set(name, (tally = new ControllerTally(this.staleReads)))
    tally.maxConcurrent = maxConcurrent
    return tally
  }

  queue(name: string, source: QueueGauges): QueueMetrics {
    let tally = this.queues.get(name)
    if (tally === undefined) this.queues.set(name, (tally = new QueueTally()))
    tally.sources.push(source)
    return tally
  }

  cache(name: string, source: CacheSource): void {
    const sources = this.caches.get(name)
    if (sources === undefined) this.caches.set(name, [source])
    else sources.push(source)
  }

  request(host: string, method: string, status: number | '<error>', seconds: number): void {
    const tally = this.#method(host, method)
    tally.codes.set(status, (tally.codes.get(status) ?? 0) + 1)
    tally.durations.observe(seconds)
  }

  leader(lease: string, isLeader: boolean): void {
    this.leaders.set(lease, isLeader)
  }

  #method(host: string, method: string): MethodTally {
    const known = this.hosts.has(host) || this.hosts.size < mostHosts ? host : otherHosts
    let methods = this.hosts.get(known)
    if (methods === undefined) this.hosts.set(known, (methods = new Map()))
    let tally = methods.get(method)
    if (tally === undefined) methods.set(method, (tally = { codes: new Map(), durations: new Buckets(requestBounds) }))
    return tally
  }
}

export interface MethodTally {
  readonly codes: Map<number | '<error>', number>
  readonly durations: Buckets
}

export class ControllerTally implements ControllerMetrics {
  /** All results from the start, so that a rate over them begins at zero. */
  readonly results: Record<ReconcileResult, number> = { success: 0, error: 0, requeue: 0, requeue_after: 0 }
  readonly durations = new Buckets(reconcileBounds)
  readonly #staleReads: Buckets
  maxConcurrent = 0
  active = 0
  terminalErrors = 0
  panics = 0
  timeouts = 0

  constructor(staleReads: Buckets) {
    this.#staleReads = staleReads
  }

  started(): void {
    this.active++
  }

  finished(result: ReconcileResult, seconds: number): void {
    this.active--
    this.results[result]++
    this.durations.observe(seconds)
  }

  terminalError(): void {
    this.terminalErrors++
  }

  panicked(): void {
    this.panics++
  }

  timedOut(): void {
    this.timeouts++
  }

  waitedForCache(seconds: number): void {
    this.#staleReads.observe(seconds)
  }
}

export class QueueTally implements QueueMetrics {
  readonly sources: QueueGauges[] = []
  readonly waits = new Buckets(queueBounds)
  readonly work = new Buckets(queueBounds)
  /** Priorities that had something in them once: their depth is 0 afterwards, not unknown. */
  readonly #priorities = new Set<number>([0])
  adds = 0
  retries = 0

  added(): void {
    this.adds++
  }

  retried(): void {
    this.retries++
  }

  waited(seconds: number): void {
    this.waits.observe(seconds)
  }

  worked(seconds: number): void {
    this.work.observe(seconds)
  }

  depths(): ReadonlyMap<number, number> {
    const total = new Map<number, number>()
    for (const source of this.sources) {
      for (const [priority, depth] of source.depths()) {
        this.#priorities.add(priority)
        total.set(priority, (total.get(priority) ?? 0) + depth)
      }
    }
    for (const priority of this.#priorities) if (!total.has(priority)) total.set(priority, 0)
    return total
  }

  unfinishedSeconds(): number {
    return this.sources.reduce((total, source) => total + source.unfinishedSeconds(), 0)
  }

  longestRunningSeconds(): number {
    return this.sources.reduce((longest, source) => Math.max(longest, source.longestRunningSeconds()), 0)
  }
}
