import type { Registry } from 'prom-client'
import { watchEventLoop } from './event-loop-lag.ts'
import type { RuntimeMetrics } from './metrics.ts'
import { Tallies } from './tallies.ts'

export interface MetricsOptions {
  /** Where the metrics are registered besides others; one of their own unless told. */
  readonly registry?: Registry
  /** Also tells about this process: memory, CPU, how late its event loop is. Not for simulations. */
  readonly process?: boolean
}

export interface Metrics extends RuntimeMetrics {
  /** Of `text()`. */
  readonly contentType: string
  /** Everything, as Prometheus reads it. */
  text(): Promise<string>
  /** The same in pieces, made as they are asked for: it may be more than should be in memory at once. */
  pieces(): AsyncIterable<string>
  /** For metrics of other packages. */
  registry(): Promise<Registry>
  /** For those that have more series than a registry can take. */
  add(exposition: Exposition): void
}

/** Metrics that somebody writes out without a registry, which needs a microsecond and more for each series, at each scrape. */
export interface Exposition {
  /** Whole lines, series of one metric after each other. Others may run between two pieces. */
  pieces(): Iterable<string>
}

/**
 * Counts in plain numbers, and fills in prom-client's registry when somebody asks for it: the library takes a while for each value, and many
 * times as long when it is called in between other work. It is loaded at that moment too: nobody reads metrics in the first second, and a
 * simulation never does.
 */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const tallies = new Tallies()
  const expositions: Exposition[] = []
  let loaded: Promise<Registry> | undefined
  // From now on, not from the first time somebody asks: the start is when it is held up most.
  const lag = options.process === true ? watchEventLoop() : undefined
  const registry = (): Promise<Registry> => (loaded ??= load(tallies, options.registry, lag))
  const pieces = async function* (): AsyncGenerator<string> {
    yield await (await registry()).metrics()
    for (const exposition of expositions) yield* exposition.pieces()
  }
  return {
    controller: (name, maxConcurrent) => tallies.controller(name, maxConcurrent),
    queue: (name, source) => tallies.queue(name, source),
    cache: (name, source) => tallies.cache(name, source),
    request: (host, method, status, seconds) => tallies.request(host, method, status, seconds),
    leader: (lease, isLeader) => tallies.leader(lease, isLeader),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    async text() {
      let text = ''
      for await (const piece of pieces()) text += piece
      return text
    },
    pieces,
    registry,
    add: (exposition) => void expositions.push(exposition),
  }
}

async function load(tallies: Tallies, given: Registry | undefined, lag: (() => number) | undefined): Promise<Registry> {
  const [library, { expose, gauge }] = await Promise.all([import('prom-client'), import('./exposition.ts')])
  const registry = given ?? new library.Registry()
  expose(tallies, registry)
  if (lag !== undefined) {
    library.collectDefaultMetrics({ register: registry })
    gauge(registry, 'windlass_event_loop_lag_seconds', 'The longest the event loop was held up since it was last asked.', [], () => [
      [{}, lag()],
    ])
  }
  return registry
}

/** Counts nothing: for tests, and for simulations that nobody measures. */
export const noMetrics: RuntimeMetrics = {
  controller: () => ({
    started() {},
    finished() {},
    terminalError() {},
    panicked() {},
    timedOut() {},
    waitedForCache() {},
  }),
  queue: () => ({ added() {}, retried() {}, waited() {}, worked() {} }),
  cache() {},
  request() {},
  leader() {},
}
