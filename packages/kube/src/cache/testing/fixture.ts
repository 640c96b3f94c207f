import type { KubernetesObject } from '@windlass/api'
import { seededRandom, VirtualClock } from '@windlass/core'
import type { CachedKind, CacheChange, CacheHandle, SharedCache } from '../cache.ts'
import { createSharedCache } from '../shared-cache.ts'
import { type Answer, ScriptedClient } from './scripted-client.ts'

/** Caches that talk to a script, in virtual time. */
export class ScriptedCache {
  readonly clock = new VirtualClock()
  readonly client: ScriptedClient
  readonly cache: SharedCache
  readonly #stop = new AbortController()
  #run: Promise<void> | undefined

  constructor(declarations: readonly CachedKind<KubernetesObject, string>[], ...answers: readonly Answer[]) {
    this.client = new ScriptedClient(this.clock, ...answers)
    this.cache = createSharedCache({ client: this.client, clock: this.clock, random: seededRandom('cache'), freezes: true })
    for (const declaration of declarations) this.cache.declare(declaration)
  }

  /** Starts the caches and lets everything happen that does not take time. */
  async start(): Promise<this> {
    this.#run = this.cache.run(this.#stop.signal)
    await this.clock.settle()
    return this
  }

  /** Stops the caches; resolves when they have. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#run
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Writes down changes as they are told: `added a 5`, `updated a 5 6`, `deleted a 7 stale`. */
export function changesOf(cache: SharedCache, of: CacheHandle<KubernetesObject>): string[] {
  const changes: string[] = []
  cache.onChange(of, (change) => changes.push(describeChange(change)))
  return changes
}

function describeChange(change: CacheChange<KubernetesObject>): string {
  const { name = '', resourceVersion = '' } = change.object.metadata
  if (change.type === 'added') return `added ${name} ${resourceVersion}${change.isInitial ? ' initially' : ''}`
  if (change.type === 'deleted') return `deleted ${name} ${resourceVersion}${change.isStale ? ' stale' : ''}`
  return `updated ${name} ${change.old.metadata.resourceVersion ?? ''} ${resourceVersion}`
}

/** What a cache holds, sorted: `a 5`. */
export function contentsOf(cache: SharedCache, of: CacheHandle<KubernetesObject>): readonly string[] {
  return cache
    .list(of)
    .map(({ metadata }) => `${metadata.name ?? ''} ${metadata.resourceVersion ?? ''}`)
    .toSorted()
}
