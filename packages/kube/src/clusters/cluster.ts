import type { KubernetesObject } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import { createSharedCache, type SharedCache } from '../cache/index.ts'
import type { Client } from '../client/client.ts'
import type { Log } from '../log.ts'
import { RunnableGroup } from '../manager/group.ts'
import type { Runnable } from '../manager/runnable.ts'
import type { RuntimeMetrics } from '../metrics/index.ts'
import { abortReason, LinkedAbort } from '../transport/abort.ts'
import type { MemberMetrics } from './pooled-metrics.ts'

/** A cluster that this process is connected to, for what runs in it. */
export interface Cluster<T extends KubernetesObject = KubernetesObject> {
  /** `namespace/name` of the object that it belongs to. */
  readonly name: string
  /** As it was when the cluster was started. */
  readonly object: T
  readonly client: Client
  /** Its own. What runs in it declares what it reads. */
  readonly cache: SharedCache
  readonly log: Log
  readonly metrics: RuntimeMetrics
}

export interface ClusterLifeOptions<T extends KubernetesObject> {
  readonly name: string
  readonly object: T
  readonly kubeconfigHash: string
  readonly client: Client
  readonly start: (cluster: Cluster<T>) => readonly Runnable[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: MemberMetrics
  readonly freezes: boolean
  readonly connectLimit: number
  readonly gracePeriod: number
  readonly onFailure: (reason: string) => void
}

/** How often a cluster is looked at that is being connected to, and how often it may have the same problem. */
const lookEvery = 1000
const patience = 10

/** One cluster, from connecting to it until it is stopped. */
export class ClusterLife<T extends KubernetesObject> {
  readonly cluster: Cluster<T>
  readonly kubeconfigHash: string
  readonly #options: ClusterLifeOptions<T>
  readonly #caches: RunnableGroup
  readonly #ordinary: RunnableGroup
  readonly #elected: RunnableGroup
  #failure: string | undefined

  constructor(options: ClusterLifeOptions<T>) {
    const { name, object, client, clock, random, log, metrics, freezes, onFailure } = options
    this.#options = options
    this.kubeconfigHash = options.kubeconfigHash
    const cache = createSharedCache({ client, clock, random, log, metrics, freezes })
    this.cluster = { name, object, client, cache, log, metrics }
    const fail = (runnable: Runnable, error: unknown): void => {
      log.error({ err: error, runnable: runnable.name }, 'failed; the cluster is started again')
      this.#failure ??= `${runnable.name} has failed: ${messageOf(error)}`
      onFailure(this.#failure)
    }
    const group = { clock, log, onFailure: fail }
    this.#caches = new RunnableGroup(group)
    this.#ordinary = new RunnableGroup(group)
    this.#elected = new RunnableGroup(group)
    this.#caches.add({ name: 'caches', needsLeadership: false, run: (signal) => cache.run(signal) })
  }

  get uid(): string | undefined {
    return this.cluster.object.metadata.uid
  }

  /** Why its caches are not up to date; undefined when they are. */
  get problem(): string | undefined {
    const behind = this.cluster.cache.describe().find(({ problem }) => problem !== undefined)
    return behind === undefined ? undefined : `${behind.name}: ${behind.problem ?? ''}`
  }

  /** Fills the caches and starts what does not need leadership. Throws when the cluster cannot be reached. */
  async start(signal: AbortSignal): Promise<void> {
    for (const runnable of this.#options.start(this.cluster)) {
      const group = runnable.needsLeadership ? this.#elected : this.#ordinary
      group.add(runnable)
      if (runnable.elected !== undefined) this.#elected.add(runnable.elected)
    }
    this.#caches.start()
    await this.#filled(signal)
    if (this.#failure !== undefined) throw new Error(this.#failure)
    this.#ordinary.start()
  }

  /** This process leads. */
  lead(): void {
    this.#elected.start()
  }

  /** It does not any more. */
  async follow(reason: Error): Promise<void> {
    this.#complain(await this.#elected.stop(reason, this.#options.gracePeriod))
  }

  /** Never rejects. */
  async stop(reason: Error): Promise<void> {
    const { clock, gracePeriod, client, metrics, log } = this.#options
    const stopBy = clock.monotonic() + gracePeriod
    for (const group of [this.#elected, this.#ordinary, this.#caches]) this.#complain(await group.stop(reason, stopBy - clock.monotonic()))
    metrics[Symbol.dispose]()
    await client.close().catch((error: unknown) => log.warn({ err: error }, 'cannot close the connection'))
  }

  /** Gives up when the same problem does not go away: a wrong kubeconfig is not worth a minute. */
  async #filled(signal: AbortSignal): Promise<void> {
    const { clock, connectLimit } = this.#options
    const { cache } = this.cluster
    const looking = new LinkedAbort(signal)
    const isFilled = cache.synced(looking.signal).then(
      () => true,
      () => false,
    )
    try {
      let troubled = 0
      for (const began = clock.monotonic(); !cache.hasSynced;) {
        const pause = new LinkedAbort(looking.signal)
        const isTime = clock.sleep(lookEvery, pause.signal).then(
          () => false,
          () => false,
        )
        const isDone = await Promise.race([isFilled, isTime])
        pause.abort(new Error('looked'))
        if (signal.aborted) throw abortReason(signal)
        if (isDone) return
        if (this.#failure !== undefined) throw new Error(this.#failure)
        const { problem } = this
        troubled = problem === undefined ? 0 : troubled + 1
        if (problem !== undefined && troubled >= patience) throw new Error(problem)
        if (clock.monotonic() - began >= connectLimit)
          throw new Error(problem ?? `its caches were not filled within ${connectLimit / 1000} s`)
      }
    } finally {
      looking.abort(new Error('nobody waits any more'))
    }
  }

  #complain(stuck: readonly string[]): void {
    if (stuck.length > 0) this.#options.log.error({ runnables: stuck }, `did not stop in time: ${stuck.join(', ')}`)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
