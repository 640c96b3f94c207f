import type { KubernetesObject } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import { type CachedKind, type CacheReader, createSharedCache, type SharedCache } from '../cache/index.ts'
import type { Client, Ref } from '../client/client.ts'
import type { Source } from '../controller/definition.ts'
import { keyOf } from '../objects/refs.ts'
import type { Log } from '../log.ts'
import { type Action, PlanExecutor } from '../plan/index.ts'

export interface ClusterFollowerOptions {
  /** From a kubeconfig to a client. */
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  /** What is kept in memory of each cluster. */
  readonly kinds: readonly CachedKind<KubernetesObject, string>[]
  /** A cluster that cannot be reached for so many milliseconds is one that cannot be reached; 60,000 unless told. A watch that ends is begun anew at once. */
  readonly patience?: number
}

const defaultPatience = 60_000

/** What following a cluster takes. A `ReconcileContext` has all of it. */
export interface FollowParts {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** A cluster that is followed. */
export interface FollowedCluster {
  readonly name: string
  readonly client: Client
  readonly cache: CacheReader
  /** Why what the cache shows cannot be relied on: it is not filled yet, or the cluster does not answer. */
  readonly problem: string | undefined
  /**
   * Whether there is nothing to say of it yet: it has been followed for a short time only, has not answered, and nothing has gone wrong. Every cluster is like this
   * after a restart, so what was known of it before should stand meanwhile.
   */
  readonly isAwaited: boolean
  /** Carries out an action there at once; the cache has it when this resolves. Throws what went wrong. */
  act(action: Action, signal: AbortSignal): Promise<KubernetesObject | undefined>
}

type Heard = (object: KubernetesObject, cluster: string) => void

/**
 * Follows objects of many clusters, for controllers whose own objects are in another one: each cluster has a client and caches of its own, from when it is
 * first asked for until it is forgotten or nobody listens any more.
 *
 * Where what runs in a cluster needs a manager of its own, `createClusters` is the thing to use. This is for a few kinds, and a look at them.
 */
export class ClusterFollower {
  readonly #options: ClusterFollowerOptions
  readonly #followed = new Map<string, Followed>()
  readonly #listeners = new Map<CachedKind<KubernetesObject, string>, Set<Heard>>()
  #sources = 0

  constructor(options: ClusterFollowerOptions) {
    this.#options = options
  }

  /**
   * The cluster of this name. It is followed from now on, if it was not; with another kubeconfig it is connected to anew.
   *
   * Errors: throws when the kubeconfig cannot be used.
   */
  async follow(name: string, kubeconfig: string, parts: FollowParts): Promise<FollowedCluster> {
    const known = this.#followed.get(name)
    if (known?.isUsable(kubeconfig) === true) return known
    known?.leave()
    this.#followed.delete(name)
    const client = await this.#options.connect(kubeconfig, name)
    // Somebody else may have been faster.
    const other = this.#followed.get(name)
    if (other?.isUsable(kubeconfig) === true) {
      client.close().catch(() => undefined)
      return other
    }
    const followed = new Followed({
      ...this.#options,
      ...parts,
      name,
      kubeconfig,
      client,
      hear: (of, object) => this.#hear(of, object, name),
    })
    this.#followed.set(name, followed)
    return followed
  }

  forget(name: string): void {
    this.#followed.get(name)?.leave()
    this.#followed.delete(name)
  }

  /** Gives those of ours that a change of an object of this kind concerns, in the cluster of which name it is. When no source listens any more, all clusters are left. */
  source<T extends KubernetesObject>(
    of: CachedKind<T, string>,
    map: (object: T, cache: CacheReader, cluster: string) => readonly Ref[],
  ): Source {
    return ({ cache, signal }) => this.#changes(of, signal, (object, cluster) => map(object as T, cache, cluster))
  }

  async *#changes(
    of: CachedKind<KubernetesObject, string>,
    signal: AbortSignal,
    map: (object: KubernetesObject, cluster: string) => readonly Ref[],
  ): AsyncIterable<Ref> {
    const waiting = new Map<string, Ref>()
    let wake = (): void => {}
    const hear: Heard = (object, cluster) => {
      for (const ref of map(object, cluster)) waiting.set(keyOf(ref), ref)
      wake()
    }
    const listeners = this.#listeners.get(of) ?? new Set()
    this.#listeners.set(of, listeners.add(hear))
    this.#sources += 1
    const onAbort = (): void => wake()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      while (!signal.aborted) {
        const [first] = waiting
        if (first === undefined) {
          await new Promise<void>((resolve) => (wake = resolve))
          continue
        }
        waiting.delete(first[0])
        yield first[1]
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      listeners.delete(hear)
      this.#sources -= 1
      if (this.#sources === 0) this.#leaveAll()
    }
  }

  #hear(of: CachedKind<KubernetesObject, string>, object: KubernetesObject, cluster: string): void {
    for (const hear of this.#listeners.get(of) ?? []) hear(object, cluster)
  }

  #leaveAll(): void {
    for (const followed of this.#followed.values()) followed.leave()
    this.#followed.clear()
  }
}

interface FollowedOptions extends ClusterFollowerOptions, FollowParts {
  readonly name: string
  readonly kubeconfig: string
  readonly client: Client
  readonly hear: (of: CachedKind<KubernetesObject, string>, object: KubernetesObject) => void
}

class Followed implements FollowedCluster {
  readonly name: string
  readonly client: Client
  readonly cache: SharedCache
  readonly #options: FollowedOptions
  readonly #executor: PlanExecutor
  readonly #left = new AbortController()
  readonly #since: number
  #troubledSince: number | undefined
  /** Why it ended though nobody has left it. */
  #failure: string | undefined

  constructor(options: FollowedOptions) {
    const { name, client, kinds, clock, random, log, hear } = options
    this.#options = options
    this.#since = clock.monotonic()
    this.name = name
    this.client = client
    this.cache = createSharedCache({ client, clock, random, log })
    for (const of of kinds) {
      this.cache.declare(of)
      this.cache.onChange(of, ({ object }) => hear(of, object))
    }
    // Nobody looks for events of ours in a cluster that we only visit.
    this.#executor = new PlanExecutor({ client, cache: this.cache, events: { record: () => {} }, handles: kinds })
    this.#run().catch(() => undefined)
  }

  async #run(): Promise<void> {
    const { kinds, hear } = this.#options
    try {
      // Whoever waited for all of it must look again, also those that were told of their objects before the last cache was filled.
      const tell = (): void => {
        for (const of of kinds) for (const object of this.cache.list(of)) hear(of, object)
      }
      const filled = this.cache.synced(this.#left.signal).then(tell, () => undefined)
      await this.cache.run(this.#left.signal)
      await filled
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : 'its caches have ended'
    } finally {
      this.#failure ??= 'it is not followed any more'
      // Whether it ends well concerns nobody any more.
      await this.client.close().catch(() => undefined)
    }
  }

  /** Not once it has ended, nor with another kubeconfig. */
  isUsable(kubeconfig: string): boolean {
    return this.#failure === undefined && !this.#left.signal.aborted && this.#options.kubeconfig === kubeconfig
  }

  get isAwaited(): boolean {
    const { clock, patience = defaultPatience } = this.#options
    const isNew = clock.monotonic() - this.#since < patience
    return isNew && this.#failure === undefined && !this.cache.hasSynced && this.#trouble === undefined
  }

  get problem(): string | undefined {
    if (this.#failure !== undefined) return this.#failure
    const { clock, patience = defaultPatience } = this.#options
    const problem = this.#trouble
    const now = clock.monotonic()
    this.#troubledSince = problem === undefined ? undefined : (this.#troubledSince ?? now)
    if (!this.cache.hasSynced) return problem ?? `${this.name} has not answered yet`
    return now - (this.#troubledSince ?? now) < patience ? undefined : problem
  }

  get #trouble(): string | undefined {
    return this.cache.describe().find((each) => each.problem !== undefined)?.problem
  }

  async act(action: Action, signal: AbortSignal): Promise<KubernetesObject | undefined> {
    const { failure, results } = await this.#executor.execute({ actions: [action] }, signal)
    if (failure !== undefined) throw failure.error
    return results[0]?.object
  }

  leave(): void {
    this.#left.abort(new Error(`${this.name} is not followed any more`))
  }
}
