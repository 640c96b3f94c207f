import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Buckets } from './buckets.ts'
import type { Tallies } from './tallies.ts'

type Labels = Readonly<Record<string, string | number>>
type Values = Iterable<readonly [labels: Labels, value: number]>
type Counted = Iterable<readonly [labels: Labels, buckets: Buckets]>

/**
 * The metrics by name, as operators of other controllers know them, read from the tallies when somebody asks.
 *
 * `controller_runtime_*` and `workqueue_*` are named as controller-runtime does, `rest_client_*` and `leader_election_*` as client-go does,
 * `windlass_*` is ours.
 */
export function expose(tallies: Tallies, registry: Registry): void {
  exposeControllers(tallies, registry)
  exposeQueues(tallies, registry)
  exposeClient(tallies, registry)
  exposeCaches(tallies, registry)
}

function exposeControllers({ controllers }: Tallies, registry: Registry): void {
  const each = function* (value: (tally: NonNullable<ReturnType<typeof controllers.get>>) => number): Values {
    for (const [controller, tally] of controllers) yield [{ controller }, value(tally)]
  }
  counter(registry, 'controller_runtime_reconcile_total', 'Reconciles by how they ended.', ['controller', 'result'], function* () {
    for (const [controller, { results }] of controllers) {
      for (const [result, count] of Object.entries(results)) yield [{ controller, result }, count]
    }
  })
  const labels = ['controller']
  counter(registry, 'controller_runtime_reconcile_errors_total', 'Reconciles that failed.', labels, () =>
    each(({ results }) => results.error),
  )
  counter(registry, 'controller_runtime_terminal_reconcile_errors_total', 'Reconciles that failed for good.', labels, () =>
    each(({ terminalErrors }) => terminalErrors),
  )
  counter(registry, 'controller_runtime_reconcile_panics_total', 'Reconciles that failed in a way nobody foresaw.', labels, () =>
    each(({ panics }) => panics),
  )
  counter(registry, 'controller_runtime_reconcile_timeouts_total', 'Reconciles that took too long.', labels, () =>
    each(({ timeouts }) => timeouts),
  )
  gauge(registry, 'controller_runtime_max_concurrent_reconciles', 'How many reconciles may run at once.', labels, () =>
    each(({ maxConcurrent }) => maxConcurrent),
  )
  gauge(registry, 'controller_runtime_active_workers', 'Reconciles that run now.', labels, () => each(({ active }) => active))
  histogram(registry, 'controller_runtime_reconcile_time_seconds', 'How long reconciles took.', labels, function* () {
    for (const [controller, { durations }] of controllers) yield [{ controller }, durations]
  })
}

function exposeQueues({ queues }: Tallies, registry: Registry): void {
  const labels = ['name', 'controller']
  const both = (name: string): Labels => ({ name, controller: name })
  const each = function* (value: (tally: NonNullable<ReturnType<typeof queues.get>>) => number): Values {
    for (const [name, tally] of queues) yield [both(name), value(tally)]
  }
  gauge(registry, 'workqueue_depth', 'Keys that wait, by priority.', [...labels, 'priority'], function* () {
    for (const [name, tally] of queues) {
      for (const [priority, depth] of tally.depths()) yield [{ ...both(name), priority }, depth]
    }
  })
  counter(registry, 'workqueue_adds_total', 'Keys that were added.', labels, () => each(({ adds }) => adds))
  counter(registry, 'workqueue_retries_total', 'Keys that were added again after a failure.', labels, () => each(({ retries }) => retries))
  gauge(registry, 'workqueue_unfinished_work_seconds', 'How long the work that runs now has been running, in all.', labels, () =>
    each((tally) => tally.unfinishedSeconds()),
  )
  gauge(registry, 'workqueue_longest_running_processor_seconds', 'How long the oldest work that runs now has been running.', labels, () =>
    each((tally) => tally.longestRunningSeconds()),
  )
  histogram(registry, 'workqueue_queue_duration_seconds', 'How long keys waited.', labels, function* () {
    for (const [name, { waits }] of queues) yield [both(name), waits]
  })
  histogram(registry, 'workqueue_work_duration_seconds', 'How long keys were worked on.', labels, function* () {
    for (const [name, { work }] of queues) yield [both(name), work]
  })
}

function exposeClient({ hosts, leaders }: Tallies, registry: Registry): void {
  counter(registry, 'rest_client_requests_total', 'Requests by how they were answered.', ['code', 'method', 'host'], function* () {
    for (const [host, methods] of hosts) {
      for (const [method, { codes }] of methods) for (const [code, count] of codes) yield [{ code, method, host }, count]
    }
  })
  histogram(registry, 'rest_client_request_duration_seconds', 'How long requests took.', ['verb', 'host'], function* () {
    for (const [host, methods] of hosts) for (const [verb, { durations }] of methods) yield [{ verb, host }, durations]
  })
  gauge(registry, 'leader_election_master_status', 'Whether this process leads.', ['name'], function* () {
    for (const [name, isLeader] of leaders) yield [{ name }, isLeader ? 1 : 0]
  })
}

function exposeCaches({ caches, staleReads }: Tallies, registry: Registry): void {
  gauge(registry, 'windlass_cache_objects', 'Objects in memory.', ['cache'], function* () {
    for (const [cache, sources] of caches) yield [{ cache }, sources.reduce((total, source) => total + source().objects, 0)]
  })
  counter(registry, 'windlass_watch_restarts_total', 'Watches that were begun again.', ['cache'], function* () {
    for (const [cache, sources] of caches) {
      yield [{ cache }, sources.reduce((total, source) => total + Math.max(0, source().watches - 1), 0)]
    }
  })
  histogram(registry, 'windlass_stale_read_wait_seconds', 'How long reconciles waited for the cache to show their own writes.', [], () => [
    [{}, staleReads],
  ])
}

function counter(registry: Registry, name: string, help: string, labelNames: readonly string[], values: () => Values): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const [labels, value] of values()) this.inc({ ...labels }, value)
    },
  })
}

export function gauge(registry: Registry, name: string, help: string, labelNames: readonly string[], values: () => Values): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const [labels, value] of values()) this.set({ ...labels }, value)
    },
  })
}

function histogram(registry: Registry, name: string, help: string, labelNames: readonly string[], values: () => Counted): void {
  registry.registerMetric(new CountedHistogram(name, help, labelNames, values))
}

/**
 * A histogram whose values were counted elsewhere.
 *
 * Caveat: prom-client has no way to set a histogram's counts. Its registry asks every histogram for `getForPromString`, which is not in its types; a
 * test holds it to that.
 */
class CountedHistogram extends Histogram {
  readonly #described: { readonly name: string; readonly help: string }
  readonly #values: () => Counted

  constructor(name: string, help: string, labelNames: readonly string[], values: () => Counted) {
    super({ name, help, labelNames, registers: [] })
    this.#described = { name, help }
    this.#values = values
  }

  getForPromString(): Promise<object> {
    const { name, help } = this.#described
    const values = [...this.#values()].flatMap(([labels, buckets]) => series(name, labels, buckets))
    return Promise.resolve({ name, help, type: 'histogram', aggregator: 'sum', values })
  }
}

interface Sample {
  readonly metricName: string
  readonly labels: Labels
  readonly value: number
}

function series(name: string, labels: Labels, buckets: Buckets): readonly Sample[] {
  const { count } = buckets
  return [
    ...buckets.cumulative().map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { le, ...labels }, value })),
    { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: count },
    { metricName: `${name}_sum`, labels, value: buckets.sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}
