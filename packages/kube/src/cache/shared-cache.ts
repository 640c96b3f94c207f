import type { KubernetesObject, Resource } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import type { Client, Ref } from '../client/client.ts'
import { refOf } from '../objects/refs.ts'
import { type Log, silentLog } from '../log.ts'
import type { RuntimeMetrics } from '../metrics/metrics.ts'
import { Breather } from './breather.ts'
import type { CachedKind, CacheDescription, CacheHandle, CacheHandler, SharedCache, WriteMark } from './cache.ts'
import { versionOf } from './collection.ts'
import { describeHandle, handleKey, kindKey, kindOf } from './declaration.ts'
import { Holding, type HoldingContext } from './holding.ts'
import { StringTable } from './string-table.ts'
import { Waiting } from './waiting.ts'

export interface SharedCacheOptions {
  readonly client: Pick<Client, 'pages' | 'watch'>
  readonly clock: Clock
  readonly random: Random
  readonly log?: Log
  readonly metrics?: Pick<RuntimeMetrics, 'cache'>
  /** Makes changing a cached object an error. For tests and simulations; it costs about as much as parsing. */
  readonly freezes?: boolean
}

export function createSharedCache(options: SharedCacheOptions): SharedCache {
  return new Caches(options)
}

class Caches implements SharedCache {
  readonly #options: SharedCacheOptions
  readonly #context: HoldingContext
  readonly #holdings = new Map<string, Holding<KubernetesObject>>()
  readonly #byKind = new Map<string, Holding<KubernetesObject>[]>()
  /** Handles that were looked up before. */
  readonly #known = new WeakMap<object, Holding<KubernetesObject>>()
  readonly #waiting = new Waiting()
  #isStarted = false

  constructor(options: SharedCacheOptions) {
    const { client, clock, random, log = silentLog, freezes = false } = options
    this.#options = options
    this.#context = {
      client,
      clock,
      random,
      log,
      freezes,
      breather: new Breather(clock),
      strings: new StringTable(),
      onStep: () => this.#waiting.look(),
    }
  }

  declare<T extends KubernetesObject, Index extends string>(declaration: CachedKind<T, Index>): void {
    const name = describeHandle(declaration)
    if (this.#isStarted) throw new Error(`${name} was declared after the caches were started: declare everything before`)
    const key = handleKey(declaration)
    let holding = this.#holdings.get(key)
    if (holding === undefined) {
      holding = new Holding<KubernetesObject>(declaration, this.#context)
      this.#holdings.set(key, holding)
      const kind = kindKey(declaration.kind)
      this.#byKind.set(kind, [...this.#ofKind(declaration.kind), holding])
    }
    holding.join(declaration)
  }

  onChange<T extends KubernetesObject>(of: CacheHandle<T>, handler: CacheHandler<T>): void {
    this.#holding(of).onChange(handler)
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#isStarted) throw new Error('the caches are running already, or have run: make new ones to start again')
    this.#isStarted = true
    const holdings = [...this.#holdings.values()]
    for (const holding of holdings) this.#options.metrics?.cache(holding.name, () => holding.describe())
    await Promise.all(holdings.map((holding) => holding.run(signal)))
  }

  get hasSynced(): boolean {
    return this.#holdings.values().every((holding) => holding.hasSynced)
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#waiting.until(() => this.hasSynced, signal)
  }

  get<T extends KubernetesObject>(of: CacheHandle<T>, ref: Ref): T | undefined {
    return this.#holding(of).get(ref)
  }

  list<T extends KubernetesObject>(of: CacheHandle<T>, { namespace }: { readonly namespace?: string } = {}): readonly T[] {
    return this.#holding(of).list(namespace)
  }

  byIndex<T extends KubernetesObject, Index extends string>(of: CachedKind<T, Index>, index: Index, value: string): readonly T[] {
    return this.#holding(of).byIndex(of, index, value)
  }

  count<T extends KubernetesObject, Index extends string>(of: CachedKind<T, Index>, index: Index, value: string): number {
    return this.#holding(of).count(of, index, value)
  }

  byIndexes<T extends KubernetesObject, Index extends string>(
    of: CachedKind<T, Index>,
    values: Readonly<Partial<Record<Index, string>>>,
  ): readonly T[] {
    return this.#holding(of).byIndexes(of, values)
  }

  wrote<T extends KubernetesObject>(kind: Resource<T>, object: T): WriteMark {
    const ref = refOf(object)
    if (isGone(object)) return this.deleted(kind, ref, object.metadata.uid ?? '')
    // Before the start nothing is kept yet; the first list will be newer, or the mark waits for what follows it.
    if (this.#isStarted) for (const holding of this.#ofKind(kind)) holding.wrote(object)
    return { kind, ref, resourceVersion: versionOf(object) }
  }

  deleted(kind: Resource, ref: Ref, uid: string): WriteMark {
    return { kind, ref, deletedUid: uid }
  }

  shows(marks: readonly WriteMark[]): boolean {
    return marks.every((mark) => this.#ofKind(mark.kind).every((holding) => holding.shows(mark)))
  }

  shown(marks: readonly WriteMark[], signal?: AbortSignal): Promise<void> {
    return this.#waiting.until(() => this.shows(marks), signal)
  }

  describe(): readonly CacheDescription[] {
    return this.#holdings
      .values()
      .map((holding) => holding.describe())
      .toArray()
  }

  #ofKind(kind: Resource): readonly Holding<KubernetesObject>[] {
    return this.#byKind.get(kindKey(kind)) ?? []
  }

  #holding<T extends KubernetesObject>(of: CacheHandle<T>): Holding<T> {
    const holding = this.#known.get(of) ?? this.#holdings.get(handleKey(of))
    if (holding === undefined) {
      const { kind } = kindOf(of)
      throw new Error(
        `${describeHandle(of)} is not cached: declare cached(${kind}) before the start. Controllers do so for what they name in for, owns, watches and reads.`,
      )
    }
    this.#known.set(of, holding)
    // It was declared for the kind of this handle, so that its objects are of the handle's type; a map of many kinds cannot know.
    return holding as unknown as Holding<T>
  }
}

/** The answer to a write that took away the last thing that held a deleted object: how it was, under the revision before its end. */
function isGone({ metadata: { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } }: KubernetesObject): boolean {
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0
}
