import type { KubernetesObject } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import {
  type CachedKind,
  type CacheChange,
  type Client,
  createSharedCache,
  LinkedAbort,
  type Log,
  type Ref,
  type SharedCache,
} from '@windlass/kube'
import { attentiveClient } from './attentive-client.ts'
import { type AnyKind, type Side, sides } from './kinds.ts'

export interface FeedsOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Called for every change, right after the cache has it. */
  readonly onChange: (of: AnyKind, change: CacheChange<KubernetesObject>) => void
  /** Called when it may have become another question whether all is well: a cache was filled, or the server has answered it, or has not. */
  readonly onAnswer: () => void
  readonly freezes: boolean
}

interface Feed {
  readonly cache: SharedCache
  readonly life: LinkedAbort
  readonly done: Promise<void>
}

/**
 * The caches of one member, one for each kind: a kind may come later than the others, because somebody installs its definition, and nothing is read anew for it.
 *
 * What is not there reads as empty here. Whether it is filled is another question, which whoever makes an answer must ask first.
 */
export class Feeds {
  readonly #options: FeedsOptions
  readonly #feeds = new Map<AnyKind, Feed>()

  constructor(options: FeedsOptions) {
    this.#options = options
  }

  get client(): Client {
    return this.#options.client
  }

  has(of: AnyKind): boolean {
    return this.#feeds.has(of)
  }

  start(of: AnyKind, signal: AbortSignal): void {
    const { clock, random, log, onChange, onAnswer, freezes } = this.#options
    const client = attentiveClient(this.#options.client, onAnswer)
    const cache = createSharedCache({ client, clock, random, log, freezes })
    cache.declare(of)
    cache.onChange(of, (change) => onChange(of, change))
    const life = new LinkedAbort(signal)
    this.#feeds.set(of, { cache, life, done: cache.run(life.signal) })
    cache.synced(life.signal).then(onAnswer, () => {})
  }

  /** Forgets a kind and all objects of it. */
  drop(of: AnyKind): void {
    const feed = this.#feeds.get(of)
    if (feed === undefined) return
    this.#feeds.delete(of)
    feed.life.abort(new Error(`${of.kind.plural} cannot be read any more`))
    for (const object of feed.cache.list(of)) this.#options.onChange(of, { type: 'deleted', object, isStale: true })
  }

  /** Whether everything of a side that is there has been read. */
  isFilled(side: Side): boolean {
    const [first] = sides[side]
    return this.has(first) && sides[side].every((of) => this.#feeds.get(of)?.cache.hasSynced ?? true)
  }

  /** Whether a kind is followed and has not been read for the first time. */
  isFilling(of: AnyKind): boolean {
    return this.#feeds.get(of)?.cache.hasSynced === false
  }

  get areFilled(): boolean {
    return this.#feeds.values().every(({ cache }) => cache.hasSynced)
  }

  /** Kinds that cannot be followed right now, and why. */
  problems(): readonly { readonly of: AnyKind; readonly name: string; readonly message: string }[] {
    return Array.from(this.#feeds).flatMap(([of, { cache }]) =>
      cache.describe().flatMap(({ name, problem }) => (problem === undefined ? [] : [{ of, name, message: problem }])),
    )
  }

  get<T extends KubernetesObject>(of: CachedKind<T, string>, ref: Ref): T | undefined {
    return this.#cache(of)?.get(of, ref)
  }

  list<T extends KubernetesObject>(of: CachedKind<T, string>, namespace?: string): readonly T[] {
    return this.#cache(of)?.list(of, namespace === undefined ? {} : { namespace }) ?? []
  }

  byIndex<T extends KubernetesObject, Index extends string>(of: CachedKind<T, Index>, index: Index, value: string): readonly T[] {
    return this.#cache(of)?.byIndex(of, index, value) ?? []
  }

  /** Resolves when all have stopped, after the signal that they were started with was aborted. */
  async stopped(): Promise<void> {
    await Promise.all(Array.from(this.#feeds.values(), ({ done }) => done))
  }

  #cache<T extends KubernetesObject>(of: CachedKind<T, string>): SharedCache | undefined {
    return this.#feeds.get(of)?.cache
  }
}
