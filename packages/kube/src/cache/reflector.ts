import type { KubernetesObject, Resource } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import type { Client, Selection, Watch, WatchEvent, WatchOptions } from '../client/client.ts'
import type { Log } from '../log.ts'
import { LinkedAbort } from '../transport/abort.ts'
import type { Breather } from './breather.ts'
import { failureOf, retryAfterOf } from './failure.ts'
import { firstState, next, type Outcome, type ReflectorState, type Result, type Step, streamed } from './reflector-state.ts'
import { Watchdog } from './watchdog.ts'

/** Where a reflector puts what it learns. Calls come one after the other, in the order things happened. */
export interface ReflectorSink<T extends KubernetesObject> {
  /** The newest state that is known completely; empty before there is one. */
  readonly resourceVersion: string
  /** The present state begins to come. What was begun before and did not finish is void. */
  begin(): Filling<T>
  /** What happened since, in order. */
  take(events: readonly WatchEvent<T>[]): void
}

/** The present state on its way: what it does not show is gone when it finishes. */
export interface Filling<T extends KubernetesObject> {
  take(events: readonly WatchEvent<T>[]): void
  /** `isNewest`: the state is not older than the question, so that a cache that knows of a later one has followed a server that is no more. */
  finish(resourceVersion: string, isNewest: boolean): void
}

export interface ReflectorOptions<T extends KubernetesObject> {
  readonly client: Pick<Client, 'pages' | 'watch'>
  readonly kind: Resource<T>
  readonly selection: Selection
  readonly sink: ReflectorSink<T>
  readonly clock: Clock
  readonly random: Random
  readonly breather: Breather
  readonly log: Log
}

const pageSize = 500
/** Events that are taken in one go. */
const sliceSize = 200
const shortestTimeout = 300
/** Two periods of bookmarks. */
const longestSilence = 120_000
const endOfInitialEvents = 'k8s.io/initial-events-end'

type Action = (from: string, signal: AbortSignal, watchdog: Watchdog) => Promise<Result>

/** What happens on a healthy server too. */
const expected: ReadonlySet<Result> = new Set(['stalled', 'expired'])

/** Keeps a sink like the server's objects: lists them, then follows what changes; what goes wrong is tried again for ever. */
export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>
  readonly #actions: Readonly<Record<Step['do'], Action>> = {
    stream: (from, signal, watchdog) => this.#stream(from, signal, watchdog),
    list: (from, signal, watchdog) => this.#list(from, signal, watchdog),
    watch: (from, signal, watchdog) => this.#watch(from, signal, watchdog),
    check: (from, signal) => this.#check(from, signal),
  }
  #state: ReflectorState = firstState
  #lists = 0
  #watches = 0
  #problem: string | undefined

  constructor(options: ReflectorOptions<T>) {
    this.#options = options
  }

  /** How often the objects were listed. */
  get lists(): number {
    return this.#lists
  }

  /** How often a watch was begun. */
  get watches(): number {
    return this.#watches
  }

  /** Why the last attempt failed, while nothing has succeeded since. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Resolves when the signal is aborted, and not before. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#options
    while (!signal.aborted) {
      const { error, ...outcome } = await this.#attempt(signal)
      if (signal.aborted) return
      const { step } = this.#state
      this.#state = next(this.#state, outcome, clock.monotonic(), random.next())
      const { delay } = this.#state
      const problem = error ?? (delay > 0 ? new Error(`the ${step.do} ended at once and brought nothing`) : undefined)
      if (problem !== undefined) {
        this.#problem = problem.message
        const level = expected.has(outcome.result) ? 'debug' : 'warn'
        log[level](
          { err: problem, step: step.do, next: this.#state.step.do, delay },
          'the server cannot be followed for now: what is cached may be old',
        )
      }
      if (delay > 0) await clock.sleep(delay, signal).catch(() => {})
    }
  }

  async #attempt(signal: AbortSignal): Promise<Outcome & { readonly error?: Error }> {
    const { clock, sink } = this.#options
    const link = new LinkedAbort(signal)
    let stall: Error | undefined
    const watchdog = new Watchdog(clock, longestSilence, () => {
      stall = new Error(`nothing was heard of the server for ${longestSilence / 1000} s`)
      link.abort(stall)
    })
    const started = clock.monotonic()
    const known = sink.resourceVersion
    const outcome = (result: Result, retryAfter = 0): Outcome => {
      const { resourceVersion } = sink
      return { result, resourceVersion, lasted: clock.monotonic() - started, hasNews: resourceVersion !== known, retryAfter }
    }
    try {
      return outcome(await this.#actions[this.#state.step.do](this.#state.step.from, link.signal, watchdog))
    } catch (problem) {
      const error = problem instanceof Error ? problem : new Error(String(problem))
      return { ...outcome(stall === undefined ? failureOf(error) : 'stalled', retryAfterOf(error)), error }
    } finally {
      watchdog.stop()
      link.release()
    }
  }

  async #list(from: string, signal: AbortSignal, watchdog: Watchdog): Promise<Result> {
    const { client, kind, selection, sink } = this.#options
    const filling = sink.begin()
    let resourceVersion = ''
    for await (const page of client.pages(kind, { ...selection, ...notOlderThan(from), pageSize, signal })) {
      watchdog.heard()
      resourceVersion = page.resourceVersion
      await this.#inSlices(page.items, (objects) => filling.take(objects.map((object) => ({ type: 'ADDED', object }))))
    }
    this.#finish(filling, resourceVersion, from === '')
    return 'done'
  }

  async #stream(from: string, signal: AbortSignal, watchdog: Watchdog): Promise<Result> {
    const { sink } = this.#options
    const { resourceVersion } = notOlderThan(from)
    const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const
    const filling = sink.begin()
    let isFilled = false
    const take = (events: readonly WatchEvent<T>[]): void => {
      if (isFilled) {
        sink.take(events)
        return
      }
      const end = events.findIndex(isEndOfInitialEvents)
      filling.take(end < 0 ? events : events.slice(0, end))
      if (end < 0) return
      const version = events[end]?.object.metadata.resourceVersion ?? ''
      isFilled = true
      this.#finish(filling, version, from === '')
      this.#state = streamed(this.#state, version)
      sink.take(events.slice(end + 1))
    }
    return this.#follow({ ...initial, ...(resourceVersion === undefined ? {} : { resourceVersion }) }, take, signal, watchdog)
  }

  #watch(from: string, signal: AbortSignal, watchdog: Watchdog): Promise<Result> {
    return this.#follow({ resourceVersion: from }, (events) => this.#options.sink.take(events), signal, watchdog)
  }

  async #follow(
    start: WatchOptions,
    take: (events: readonly WatchEvent<T>[]) => void,
    signal: AbortSignal,
    watchdog: Watchdog,
  ): Promise<Result> {
    const { client, kind, selection, random } = this.#options
    const timeoutSeconds = Math.floor(shortestTimeout * (1 + random.next()))
    this.#watches++
    const options = { ...selection, ...start, allowBookmarks: true, omitsManagedFields: true, timeoutSeconds, signal }
    const watch: Watch<T> = await client.watch(kind, options)
    this.#problem = undefined
    try {
      for await (const events of watch) {
        watchdog.heard()
        await this.#inSlices(events, take)
      }
    } finally {
      watch.close()
    }
    return 'ended'
  }

  /** One object is enough to see whether the server has got as far as we have. */
  async #check(from: string, signal: AbortSignal): Promise<Result> {
    const { client, kind, selection } = this.#options
    for await (const _ of client.pages(kind, { ...selection, ...notOlderThan(from), pageSize: 1, signal })) break
    this.#problem = undefined
    return 'done'
  }

  #finish(filling: Filling<T>, resourceVersion: string, isNewest: boolean): void {
    filling.finish(resourceVersion, isNewest)
    this.#lists++
    this.#problem = undefined
  }

  async #inSlices<Item>(items: readonly Item[], take: (slice: readonly Item[]) => void): Promise<void> {
    const { breather } = this.#options
    for (let start = 0; start < items.length; start += sliceSize) {
      await breather.work(() => take(items.length <= sliceSize ? items : items.slice(start, start + sliceSize)))
    }
  }
}

function notOlderThan(version: string): { readonly resourceVersion?: string; readonly resourceVersionMatch?: 'NotOlderThan' } {
  if (version === '') return {}
  return version === '0' ? { resourceVersion: version } : { resourceVersion: version, resourceVersionMatch: 'NotOlderThan' }
}

function isEndOfInitialEvents(event: WatchEvent<KubernetesObject>): boolean {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[endOfInitialEvents] === 'true'
}
