import type { MetricRegistry } from './metric-registry.ts'

/** Where the numbers come from that are not counted request by request. */
export interface MetricSources {
  readonly runningReads: () => number
  readonly runningWrites: () => number
  readonly watches: () => number
  readonly watchEvents: () => number
  /** Objects by `resource.group`. */
  readonly objects: () => Iterable<readonly [resource: string, count: number]>
}

export interface RequestLabels {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
}

/** Requests of one kind since they were last counted. */
export interface Noted {
  readonly labels: RequestLabels
  readonly code: number
  count: number
  readonly seconds: number[]
}

/** How many requests are counted at once. */
const countedTogether = 500

/**
 * Takes note of requests, and has them counted some hundreds at a time: the library for metrics takes a while for each, and many times as
 * long when it is called in between other work. It is loaded when there is something to count, for it is large and nobody reads metrics in the
 * first second.
 */
export class ServerMetrics {
  readonly #sources: MetricSources
  readonly #noted = new Map<string, Noted>()
  #size = 0
  #registry: Promise<MetricRegistry> | undefined

  constructor(sources: MetricSources) {
    this.#sources = sources
  }

  record(labels: RequestLabels, code: number, seconds: number, isWatch: boolean): void {
    const { verb, group, version, resource, subresource, scope } = labels
    const kind = `${verb} ${group}/${version}/${resource}/${subresource} ${scope} ${code}`
    let noted = this.#noted.get(kind)
    if (noted === undefined) {
      noted = { labels, code, count: 0, seconds: [] }
      this.#noted.set(kind, noted)
    }
    noted.count++
    if (!isWatch) noted.seconds.push(seconds)
    if (++this.#size >= countedTogether) void this.#count()
  }

  async text(): Promise<string> {
    const registry = await this.#count()
    return registry.text()
  }

  async #count(): Promise<MetricRegistry> {
    const noted = [...this.#noted.values()]
    this.#noted.clear()
    this.#size = 0
    this.#registry ??= import('./metric-registry.ts').then((loaded) => new loaded.MetricRegistry(this.#sources))
    const registry = await this.#registry
    for (const each of noted) registry.count(each)
    return registry
  }
}
