import type { KubernetesObject, Secret } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import { isDeclaration } from '../cache/declaration.ts'
import { cached, type CacheHandle, type SharedCache } from '../cache/index.ts'
import type { Client, Ref } from '../client/client.ts'
import { Workers } from '../controller/workers.ts'
import { keyOf, parseKey } from '../objects/refs.ts'
import type { Log } from '../log.ts'
import type { Runnable } from '../manager/runnable.ts'
import { untilAborted } from '../manager/until-aborted.ts'
import type { RuntimeMetrics } from '../metrics/index.ts'
import { WorkQueue } from '../queue/index.ts'
import { LinkedAbort, orAborted } from '../transport/abort.ts'
import { type Cluster, ClusterLife, messageOf } from './cluster.ts'
import { type KubeconfigRef, readKubeconfig } from './kubeconfig-secrets.ts'
import { PooledMetrics } from './pooled-metrics.ts'
import { SecretReaders } from './secret-readers.ts'
import { type ClusterEntry, type ClusterPhase, type ClusterStatus, statusOf } from './status.ts'

export interface ClustersOptions<T extends KubernetesObject> {
  /** The objects that clusters belong to: a cluster starts and stops with its object. */
  readonly of: CacheHandle<T>
  /** Where its kubeconfig is; undefined while there is none. */
  readonly secretOf: (object: T) => KubeconfigRef | undefined
  readonly connect: (kubeconfig: string, name: string) => Client | Promise<Client>
  /** What runs in a cluster, made anew each time it is started. Called before its caches are filled. */
  readonly start: (cluster: Cluster<T>) => readonly Runnable[]
  /** Of the cluster that has the objects and the Secrets. */
  readonly cache: SharedCache
  readonly client: Pick<Client, 'find'>
  /** Where Secrets are cached, if they are: a changed kubeconfig is noticed at once then, and every few minutes otherwise. */
  readonly secrets?: CacheHandle<Secret>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: RuntimeMetrics
  /** Names it in logs and metrics; `clusters` unless told. */
  readonly name?: string
  /** How many are connected to at once; 16 unless told. */
  readonly concurrency?: number
  /** How long one may take to be connected to, in milliseconds; 60,000 unless told. */
  readonly connectLimit?: number
  /** How often kubeconfigs are read again; every 300,000 ms unless told. */
  readonly recheck?: number
  /** How long one may take to stop, in milliseconds; 30,000 unless told. */
  readonly gracePeriod?: number
  /** See `SharedCacheOptions`. */
  readonly freezes?: boolean
  /** Called when one comes to another phase. Must not throw. */
  readonly onStatus?: (status: ClusterStatus) => void
}

/** Many clusters in one process, each with a client and caches of its own. Caches are kept warm where this process does not lead. */
export interface ClusterSet<T extends KubernetesObject> extends Runnable {
  readonly elected: Runnable
  /** One that is connected. */
  get(ref: Ref): Cluster<T> | undefined
  /** All that are connected. */
  connected(): readonly Cluster<T>[]
  statuses(): readonly ClusterStatus[]
}

/** To be called before the caches are started. */
export function createClusters<T extends KubernetesObject>(options: ClustersOptions<T>): ClusterSet<T> {
  return new Clusters(options)
}

/** How long an unreachable cluster is left alone after the first try, and at most. */
const backOff = { first: 1000, longest: 300_000 }
/** One that has trouble may have a new kubeconfig. */
const recheckSoon = 30_000

class Clusters<T extends KubernetesObject> implements ClusterSet<T> {
  readonly name: string
  readonly needsLeadership = false
  readonly elected: Runnable
  readonly #options: ClustersOptions<T>
  readonly #metrics: PooledMetrics
  readonly #entries = new Map<string, ClusterEntry<T>>()
  readonly #secrets = new SecretReaders()
  readonly #queue: WorkQueue
  readonly #workers: Workers
  readonly #stopping = new LinkedAbort()
  /** Clusters that somebody is busy with. */
  readonly #looks = new Map<string, LinkedAbort>()
  #isLeading = false

  constructor(options: ClustersOptions<T>) {
    const { name = 'clusters', of, cache, secrets, clock, metrics, concurrency = 16 } = options
    this.#options = options
    this.name = name
    this.#metrics = new PooledMetrics(metrics)
    this.#queue = new WorkQueue({ clock, name, metrics, backOff, onReady: () => this.#workers.wake() })
    this.#workers = new Workers({ clock, queue: this.#queue, most: concurrency, hold: () => undefined, work: (key) => this.#look(key) })
    this.elected = { name: `${name} (elected)`, needsLeadership: true, run: (signal) => this.#lead(signal) }
    cache.declare(isDeclaration(of) ? of : cached(of))
    cache.onChange(of, (change) => {
      const key = keyIn(change.object)
      if (change.type !== 'updated' || !this.#isSame(change.old, change.object)) this.#queue.add(key)
      // Nobody needs to be connected to what is gone.
      if (change.type === 'deleted') this.#looks.get(key)?.abort(new Error(`${key} is gone`))
    })
    if (secrets !== undefined) {
      cache.declare(isDeclaration(secrets) ? secrets : cached(secrets))
      cache.onChange(secrets, ({ object }) => {
        for (const key of this.#secrets.readersOf(keyIn(object))) this.#queue.add(key)
      })
    }
  }

  get(ref: Ref): Cluster<T> | undefined {
    const entry = this.#entries.get(keyOf(ref))
    return entry?.phase === 'connected' ? entry.life?.cluster : undefined
  }

  connected(): readonly Cluster<T>[] {
    const found: Cluster<T>[] = []
    for (const { phase, life } of this.#entries.values()) if (phase === 'connected' && life !== undefined) found.push(life.cluster)
    return found
  }

  statuses(): readonly ClusterStatus[] {
    return Array.from(this.#entries, ([name, entry]) => statusOf(name, entry))
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#workers.start()
    const reason = await untilAborted(signal)
    this.#stopping.abort(reason)
    await this.#workers.stop()
    this.#queue.close()
    await Promise.all(this.#lives().map((life) => life.stop(reason)))
    this.#entries.clear()
  }

  async #lead(signal: AbortSignal): Promise<void> {
    this.#isLeading = true
    for (const { phase, life } of this.#entries.values()) if (phase === 'connected') life?.lead()
    const reason = await untilAborted(signal)
    this.#isLeading = false
    await Promise.all(this.#lives().map((life) => life.follow(reason)))
  }

  /** Brings one cluster to where it should be. Never rejects: no cluster takes the others down. */
  async #look(key: string): Promise<void> {
    const { cache, of, log } = this.#options
    const look = new LinkedAbort(this.#stopping.signal)
    const { signal } = look
    if (signal.aborted) return
    this.#looks.set(key, look)
    try {
      const object = cache.get(of, parseKey(key))
      if (object === undefined) await this.#end(key)
      else await this.#keep(key, object, signal)
    } catch (error) {
      if (signal.aborted) return
      const entry = this.#entry(key)
      // One that runs is not stopped because its kubeconfig could not be read this time.
      if (entry.life === undefined) this.#become(key, entry, 'unreachable', messageOf(error))
      log.warn({ err: error, cluster: key }, 'cannot look after the cluster; will try again')
      this.#queue.retry(key, { why: messageOf(error) })
    } finally {
      look.release()
      this.#looks.delete(key)
    }
  }

  async #end(key: string): Promise<void> {
    const entry = this.#entries.get(key)
    this.#queue.forget(key)
    if (entry === undefined) return
    this.#become(key, entry, 'stopping', 'its object is gone')
    await this.#stopLife(entry, new Error(`${key} is gone`))
    this.#secrets.set(key, undefined)
    this.#entries.delete(key)
  }

  async #keep(key: string, object: T, signal: AbortSignal): Promise<void> {
    const { secretOf } = this.#options
    const entry = this.#entry(key)
    const ref = secretOf(object)
    this.#secrets.set(key, ref === undefined ? undefined : keyOf(ref))
    if (ref === undefined) {
      if (entry.life !== undefined) await this.#stopLife(entry, new Error(`${key} has no kubeconfig any more`))
      this.#become(key, entry, 'waiting', 'its object does not say where its kubeconfig is')
      return
    }
    const kubeconfig = await readKubeconfig(this.#options, ref, signal)
    if (!kubeconfig.isThere) {
      // A Secret that is gone for a moment, while it is replaced, is no reason to stop what runs.
      if (entry.life === undefined) this.#become(key, entry, 'waiting', kubeconfig.reason)
      this.#lookAgain(key, recheckSoon)
      return
    }
    const { life } = entry
    const isSame = life?.kubeconfigHash === kubeconfig.hash && life.uid === object.metadata.uid && entry.phase === 'connected'
    if (life !== undefined && !isSame) {
      const why = entry.phase === 'failed' ? (entry.reason ?? '') : 'its kubeconfig has changed'
      this.#become(key, entry, 'stopping', why)
      await this.#stopLife(entry, new Error(`${key}: ${why}`))
    }
    if (isSame) this.#queue.forget(key)
    else await this.#begin(key, entry, object, kubeconfig, signal)
    this.#lookAgain(key, entry.life?.problem === undefined ? (this.#options.recheck ?? 300_000) : recheckSoon)
  }

  async #begin(
    key: string,
    entry: ClusterEntry<T>,
    object: T,
    kubeconfig: { text: string; hash: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { connect, start, clock, random, log, freezes = false, connectLimit = 60_000, gracePeriod = 30_000 } = this.#options
    // One that could not be reached remains so until it can be.
    if (entry.phase !== 'unreachable') this.#become(key, entry, 'connecting')
    const client = await orAborted(Promise.resolve(connect(kubeconfig.text, key)), signal)
    const life: ClusterLife<T> = new ClusterLife({
      name: key,
      object,
      kubeconfigHash: kubeconfig.hash,
      client,
      start,
      clock,
      random,
      log: log.child({ cluster: key }),
      metrics: this.#metrics.member(),
      freezes,
      connectLimit,
      gracePeriod,
      onFailure: (reason) => this.#failed(key, life, reason),
    })
    entry.life = life
    try {
      await life.start(signal)
    } catch (error) {
      await this.#stopLife(entry, new Error(`${key} cannot be started`, { cause: error }))
      throw error
    }
    this.#become(key, entry, 'connected')
    if (this.#isLeading) life.lead()
  }

  /** Something that runs in the cluster has failed. While it is being started, whoever starts it notices. */
  #failed(key: string, life: ClusterLife<T>, reason: string): void {
    const entry = this.#entries.get(key)
    if (entry?.life !== life || entry.phase !== 'connected' || this.#stopping.signal.aborted) return
    this.#become(key, entry, 'failed', reason)
    this.#queue.retry(key, { why: reason })
  }

  async #stopLife(entry: ClusterEntry<T>, reason: Error): Promise<void> {
    const { life } = entry
    await life?.stop(reason)
    entry.life = undefined
  }

  #lives(): readonly ClusterLife<T>[] {
    return Array.from(this.#entries.values(), ({ life }) => life).filter((life) => life !== undefined)
  }

  #lookAgain(key: string, milliseconds: number): void {
    const { random } = this.#options
    this.#queue.add(key, { priority: -100, after: milliseconds * (0.75 + random.next() / 2), why: 'the next look at its kubeconfig' })
  }

  #entry(key: string): ClusterEntry<T> {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry: ClusterEntry<T> = { phase: 'waiting', reason: undefined, since: this.#options.clock.now(), life: undefined }
    this.#entries.set(key, entry)
    return entry
  }

  #become(key: string, entry: ClusterEntry<T>, phase: ClusterPhase, reason?: string): void {
    if (entry.phase !== phase) entry.since = this.#options.clock.now()
    entry.phase = phase
    entry.reason = reason
    this.#options.onStatus?.(statusOf(key, entry))
  }

  /** Objects change all the time; clusters start anew for few of these changes. */
  #isSame(old: T, next: T): boolean {
    const { secretOf } = this.#options
    const [before, after] = [secretOf(old), secretOf(next)]
    return (
      old.metadata.uid === next.metadata.uid &&
      before?.name === after?.name &&
      before?.namespace === after?.namespace &&
      before?.key === after?.key
    )
  }
}

function keyIn({ metadata: { namespace, name = '' } }: KubernetesObject): string {
  return keyOf(namespace === undefined ? { name } : { namespace, name })
}
