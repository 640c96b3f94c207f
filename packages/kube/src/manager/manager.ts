import type { Clock, Random } from '@windlass/core'
import type { SharedCache } from '../cache/cache.ts'
import type { Ref } from '../client/client.ts'
import { waitForCaches } from '../controller/synced.ts'
import { type ElectionTiming, LeaderElector, type LeaseClient, LeadershipLost, StillRunning } from '../election/index.ts'
import type { Log } from '../log.ts'
import type { Metrics, RuntimeMetrics } from '../metrics/index.ts'
import { abortReason, LinkedAbort } from '../transport/abort.ts'
import type { EndpointOptions, Endpoints } from './endpoints.ts'
import { RunnableGroup } from './group.ts'
import type { HealthCheck } from './health.ts'
import { type Inspection, isController, keepsClusters } from './inspection.ts'
import type { Runnable } from './runnable.ts'
import { untilAborted } from './until-aborted.ts'

export interface ManagerOptions {
  /** For the election. */
  readonly client: LeaseClient
  readonly cache: SharedCache
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: RuntimeMetrics | Metrics
  /** Without it this process leads from the start. */
  readonly election?: ElectionChoice
  /** Where to ask how it is. Nowhere unless told. */
  readonly health?: EndpointOptions
  readonly metricsEndpoint?: EndpointOptions
  /** How long everything together may take to stop, in milliseconds; 30,000 unless told. */
  readonly gracePeriod?: number
}

export interface ElectionChoice {
  readonly lease: Required<Ref>
  /** `<hostname>_<uuid>` */
  readonly identity: string
  readonly timing?: Partial<ElectionTiming>
  /**
   * Losing the leadership stops everything. `exit`, unless told: `run` rejects with it, and the process is expected to exit. `stop group`, for simulations
   * where many share a process: it resolves.
   */
  readonly onLost?: 'exit' | 'stop group'
}

/** Runs everything that a process consists of, in order, until it is to stop or something fails. */
export interface Manager {
  /** One that comes while it runs is started at once. */
  add(runnable: Runnable): void
  addCheck(check: HealthCheck): void
  /** Caches are filled; it leads, or could at once. */
  readonly isReady: boolean
  readonly isLeader: boolean
  /** Where its endpoints are, while it runs. */
  readonly urls: readonly string[]
  /** What the endpoints show. */
  inspect(): Inspection
  /**
   * Starts endpoints, caches, then everything else: what needs leadership when it has it. Resolves when the signal is aborted and all has
   * stopped, in reverse order, or the time for that is over: what still runs then is named in the log.
   *
   * # Errors
   *
   * The first error of anything that runs: everything else is stopped before. `LeadershipLost`; `CacheSyncError` when caches are not filled
   * within two minutes.
   */
  run(signal: AbortSignal): Promise<void>
}

export function createManager(options: ManagerOptions): Manager {
  return new ProcessManager(options)
}

type Stage = 'new' | 'starting' | 'running' | 'stopping' | 'stopped'

class ProcessManager implements Manager {
  readonly #options: ManagerOptions
  readonly #caches: RunnableGroup
  /** What runs in every replica. */
  readonly #ordinary: RunnableGroup
  readonly #elected: RunnableGroup
  readonly #elector: LeaderElector | undefined
  readonly #checks: HealthCheck[]
  /** Aborted when everything is to stop, for whatever reason. */
  readonly #stopping = new LinkedAbort()
  #stage: Stage = 'new'
  #failure: { readonly error: unknown } | undefined
  #stopBy = Number.POSITIVE_INFINITY
  #isLeading = false
  #urls: readonly string[] = []

  constructor(options: ManagerOptions) {
    const { clock, log, cache, election } = options
    this.#options = options
    const onFailure = (runnable: Runnable, error: unknown): void => this.#fail(error, runnable.name)
    this.#caches = new RunnableGroup({ clock, log, onFailure })
    this.#ordinary = new RunnableGroup({ clock, log, onFailure })
    this.#elected = new RunnableGroup({ clock, log, onFailure })
    this.#caches.add(lasting('caches', (signal) => cache.run(signal)))
    this.#elector = election === undefined ? undefined : new LeaderElector({ ...options, ...election })
    this.#checks = [
      { name: 'ping', of: 'liveness', problem: () => undefined },
      { name: 'caches', of: 'readiness', problem: () => this.#unfilled() },
      { name: 'start', of: 'readiness', problem: () => (this.#stage === 'running' ? undefined : `the process is ${this.#stage}`) },
    ]
  }

  get isReady(): boolean {
    return this.#checks.every(({ problem }) => problem() === undefined)
  }

  get isLeader(): boolean {
    return this.#elector === undefined ? this.#isLeading : this.#elector.isLeader
  }

  get urls(): readonly string[] {
    return this.#urls
  }

  add(runnable: Runnable): void {
    const group = runnable.needsLeadership ? this.#elected : this.#ordinary
    group.add(runnable)
    if (runnable.elected !== undefined) this.#elected.add(runnable.elected)
  }

  addCheck(check: HealthCheck): void {
    this.#checks.push(check)
  }

  inspect(): Inspection {
    const { cache, metrics } = this.#options
    const runnables = [...this.#ordinary.members, ...this.#elected.members]
    return {
      checks: this.#checks,
      caches: cache.describe(),
      controllers: runnables.filter(isController),
      clusters: runnables.filter(keepsClusters).flatMap((keeper) => keeper.statuses()),
      metrics: 'pieces' in metrics ? metrics : undefined,
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#stage !== 'new') throw new Error('this manager has run already: make another one')
    this.#stage = 'starting'
    const follow = (): void => this.#stop(abortReason(signal))
    if (signal.aborted) follow()
    signal.addEventListener('abort', follow, { once: true })
    let endpoints: Endpoints | undefined
    try {
      endpoints = await this.#serve()
      await this.#work()
    } catch (error) {
      this.#fail(error)
    }
    await this.#stopGroup(this.#ordinary)
    await this.#stopGroup(this.#caches)
    await endpoints?.close()
    signal.removeEventListener('abort', follow)
    this.#urls = []
    this.#stage = 'stopped'
    if (this.#failure !== undefined) throw this.#failure.error
  }

  async #serve(): Promise<Endpoints | undefined> {
    const { health, metricsEndpoint: metrics, clock, log } = this.#options
    if (health === undefined && metrics === undefined) return undefined
    const { serveEndpoints } = await import('./endpoints.ts')
    const choice = { clock, ...(health === undefined ? {} : { health }), ...(metrics === undefined ? {} : { metrics }) }
    const endpoints = await serveEndpoints(() => this.inspect(), choice)
    this.#urls = endpoints.urls
    log.info({ urls: endpoints.urls }, 'endpoints are open')
    return endpoints
  }

  /** From the caches on, until everything is to stop and what needs leadership has. */
  async #work(): Promise<void> {
    const { cache, clock, election } = this.#options
    const { signal } = this.#stopping
    if (signal.aborted) return
    this.#caches.start()
    // Who leads with empty caches would hold up the others: it takes part in the election when it could begin at once.
    await waitForCaches('manager', cache, clock, signal)
    if (signal.aborted) return
    this.#stage = 'running'
    this.#ordinary.start()
    try {
      if (this.#elector === undefined) await this.#lead(signal)
      else await this.#elector.run(signal, (led) => this.#lead(led))
    } catch (error) {
      if (error instanceof StillRunning) this.#complain(error.names)
      else if (error instanceof LeadershipLost && election?.onLost === 'stop group') this.#stop(error)
      else throw error
    }
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#isLeading = true
    this.#elected.start()
    const reason = await untilAborted(signal)
    this.#isLeading = false
    this.#stop(reason)
    // Others may begin when the lease has run out: what has not stopped by then must not be waited for.
    const timing = this.#elector?.timing
    const isLost = reason instanceof LeadershipLost && timing !== undefined
    const limit = isLost ? Math.min(this.#remaining(), timing.leaseDuration - timing.renewDeadline) : this.#remaining()
    const stuck = await this.#elected.stop(reason, limit)
    if (stuck.length === 0) return
    if (isLost) this.#complain(stuck)
    throw new StillRunning(stuck, limit)
  }

  async #stopGroup(group: RunnableGroup): Promise<void> {
    const stuck = await group.stop(abortReason(this.#stopping.signal), this.#remaining())
    if (stuck.length > 0) this.#complain(stuck)
  }

  #fail(error: unknown, runnable?: string): void {
    const { log } = this.#options
    if (this.#failure !== undefined) {
      if (error !== this.#failure.error) log.error({ err: error, runnable }, 'failed too')
      return
    }
    this.#failure = { error }
    log.error({ err: error, runnable }, runnable === undefined ? 'stops because of an error' : `stops because ${runnable} has failed`)
    this.#stop(error instanceof Error ? error : new Error(String(error)))
  }

  #stop(reason: Error): void {
    if (this.#stopping.signal.aborted) return
    const { clock, gracePeriod = 30_000, log } = this.#options
    this.#stage = 'stopping'
    this.#stopBy = clock.monotonic() + gracePeriod
    log.info({ reason: reason.message }, 'stopping')
    this.#stopping.abort(reason)
  }

  #remaining(): number {
    return Math.max(0, this.#stopBy - this.#options.clock.monotonic())
  }

  #complain(names: readonly string[]): void {
    this.#options.log.error({ runnables: names }, `did not stop in time: ${names.join(', ')}`)
  }

  #unfilled(): string | undefined {
    const missing = this.#options.cache.describe().filter(({ hasSynced }) => !hasSynced)
    if (missing.length === 0) return undefined
    return `not filled yet: ${missing.map(({ name, problem }) => (problem === undefined ? name : `${name} (${problem})`)).join(', ')}`
  }
}

/** Something that must not end before it is told to. */
function lasting(name: string, run: (signal: AbortSignal) => Promise<void>): Runnable {
  return {
    name,
    needsLeadership: false,
    async run(signal) {
      await run(signal)
      if (!signal.aborted) throw new Error(`${name} ended though nobody stopped them`)
    },
  }
}
