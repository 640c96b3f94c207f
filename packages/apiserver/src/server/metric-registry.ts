import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MetricSources, Noted } from './metrics.ts'

/** The server's metrics, under the names that dashboards for Kubernetes know. */
export class MetricRegistry {
  readonly #registry = new Registry()
  readonly #requests: Counter
  readonly #durations: Histogram

  constructor(sources: MetricSources) {
    const registers = [this.#registry]
    const labels = ['verb', 'group', 'version', 'resource', 'subresource', 'scope']
    this.#requests = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and HTTP code.',
      labelNames: [...labels, 'code'],
      registers,
    })
    this.#durations = new Histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time from the request to its answer, without watches.',
      labelNames: labels,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    })
    new Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests that are running now.',
      labelNames: ['request_kind'],
      registers,
      collect() {
        this.set({ request_kind: 'readOnly' }, sources.runningReads())
        this.set({ request_kind: 'mutating' }, sources.runningWrites())
      },
    })
    new Gauge({
      name: 'apiserver_longrunning_requests',
      help: 'Open watches.',
      labelNames: ['verb'],
      registers,
      collect() {
        this.set({ verb: 'WATCH' }, sources.watches())
      },
    })
    new Gauge({
      name: 'apiserver_storage_objects',
      help: 'Stored objects by resource.',
      labelNames: ['resource'],
      registers,
      collect() {
        this.reset()
        for (const [resource, count] of sources.objects()) this.set({ resource }, count)
      },
    })
    let counted = 0
    new Counter({
      name: 'apiserver_watch_events_total',
      help: 'Events sent to watches.',
      registers,
      collect() {
        this.inc(sources.watchEvents() - counted)
        counted = sources.watchEvents()
      },
    })
  }

  count({ labels, code, count, seconds }: Noted): void {
    this.#requests.inc({ ...labels, code }, count)
    for (const each of seconds) this.#durations.observe({ ...labels }, each)
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
