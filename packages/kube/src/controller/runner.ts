import type { Delays } from '@windlass/core'
import type { KubernetesObject, Resource } from '@windlass/api'
import { kindOf } from '../cache/declaration.ts'
import type { Ref } from '../client/client.ts'
import { keyOf, parseKey } from '../objects/refs.ts'
import type { ControllerMetrics } from '../metrics/metrics.ts'
import { History, PlanExecutor } from '../plan/index.ts'
import { type QueueView, WorkQueue } from '../queue/index.ts'
import { createDeadlines, type Deadline } from './deadline.ts'
import { Inherited } from './inherited.ts'
import { OwnWrites } from './own-writes.ts'
import { PassRunner } from './pass-runner.ts'
import type { Definition } from './reconciler.ts'
import type { ControllerRunner, ControllerRuntime } from './runtime.ts'
import { runSources } from './sources.ts'
import { subscribe, watchedBy } from './subscriptions.ts'
import { waitForCaches } from './synced.ts'
import { Workers } from './workers.ts'

/** Makes a controller: declares what it reads and listens to it. To be called before the caches are started. */
export function createController<T extends KubernetesObject, Observed>(
  definition: Definition<T, Observed>,
  runtime: ControllerRuntime,
): ControllerRunner {
  return new Runner(definition, runtime)
}

class Runner<T extends KubernetesObject, Observed> implements ControllerRunner {
  readonly name: string
  readonly needsLeadership = true
  readonly kind: Resource
  readonly history = new History()
  readonly #definition: Definition<T, Observed>
  readonly #runtime: ControllerRuntime
  readonly #deadlines: Delays<Deadline>
  readonly #queue: WorkQueue
  readonly #ownWrites: OwnWrites
  readonly #inherited: Inherited<T>
  readonly #passes: PassRunner<T, Observed>
  readonly #workers: Workers
  #metrics: ControllerMetrics | undefined
  #hasRun = false
  #halted: Promise<void> | undefined

  constructor(definition: Definition<T, Observed>, original: ControllerRuntime) {
    const { name, tenant, maxConcurrent = 1, maxConcurrentPerTenant, backOff } = definition
    const runtime = { ...original, log: original.log.child({ controller: name }) }
    const { cache, clock, log } = runtime
    this.name = name
    this.kind = kindOf(definition.for)
    this.#definition = definition
    this.#runtime = runtime
    this.#deadlines = createDeadlines(clock)
    this.#queue = new WorkQueue({
      clock,
      name,
      onReady: () => this.#workers.wake(),
      ...(backOff === undefined ? {} : { backOff }),
      ...(tenant === undefined ? {} : { tenant: (key) => tenant(parseKey(key)) }),
      ...(maxConcurrentPerTenant === undefined ? {} : { maxRunningPerTenant: maxConcurrentPerTenant }),
      ...(runtime.metrics === undefined ? {} : { metrics: runtime.metrics }),
    })
    const metrics = (): ControllerMetrics | undefined => this.#metrics
    this.#ownWrites = new OwnWrites({ cache, clock, log, metrics, deadlines: this.#deadlines })
    this.#inherited = new Inherited({ client: runtime.client, cache, of: definition.for })
    const executor = new PlanExecutor({ ...runtime, handles: watchedBy(definition) })
    this.#passes = new PassRunner({
      definition,
      runtime,
      executor,
      metrics,
      queue: this.#queue,
      ownWrites: this.#ownWrites,
      inherited: this.#inherited,
      history: this.history,
      deadlines: this.#deadlines,
    })
    this.#workers = new Workers({
      clock,
      queue: this.#queue,
      most: maxConcurrent,
      hold: (key) => this.#ownWrites.shown(key),
      work: (key) => this.#passes.look(key),
    })
    this.#metrics = runtime.metrics?.controller(name, maxConcurrent)
    subscribe(definition, {
      cache,
      add: (ref, priority) => this.#queue.add(keyOf(ref), { priority }),
      onDeleted: (of, object) => executor.forget(kindOf(of), object),
      onProblem: (object, error) => this.#lost(object, error),
    })
  }

  queue(limit?: number): QueueView {
    return this.#queue.view(limit)
  }

  trigger(ref: Ref): void {
    this.#queue.add(keyOf(ref))
  }

  setMaxConcurrent(most: number): void {
    if (!Number.isInteger(most) || most < 1) {
      throw new RangeError(`controller ${this.name}: at least one object must be looked at at once, asked for ${most}`)
    }
    this.#metrics = this.#runtime.metrics?.controller(this.name, most)
    this.#workers.most = most
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new Error(`controller ${this.name} has run already: make another one`)
    this.#hasRun = true
    const { cache, clock } = this.#runtime
    const onAbort = (): void => this.#halt(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await waitForCaches(this.name, cache, clock, signal)
      if (signal.aborted) return
      if (this.#runtime.isSuccessor === true) this.#inherited.takeOver()
      this.#workers.start()
      await runSources(this.#definition.sources ?? [], { clock, cache, signal }, (ref) => this.trigger(ref))
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#halt(signal.aborted ? signal.reason : new Error(`controller ${this.name} has failed`))
      await this.#halted
      this.#queue.close()
      this.#deadlines.close()
    }
  }

  /** Nothing new begins, and what runs is told to end. Before sources do: they may take along what passes work with. */
  #halt(reason: unknown): void {
    if (this.#halted !== undefined) return
    this.#halted = this.#workers.stop()
    this.#ownWrites.stop()
    this.#passes.stop(reason)
  }

  /** A predicate or a map threw: what the change concerns is not known, and it is not told again. */
  #lost({ kind, metadata: { namespace, name } }: KubernetesObject, error: unknown): void {
    this.#metrics?.panicked()
    this.#runtime.log.error({ err: error, kind, namespace, name }, 'a predicate or map of this controller threw: the change is lost on it')
  }
}
