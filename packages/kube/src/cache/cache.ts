import type { KubernetesObject, Resource } from '@windlass/api'
import type { Ref } from '../client/client.ts'

/** Values under which an object is found again. An object that has none is in no list of the index. */
export type Extract<T> = Receives<T, readonly string[]>

/**
 * A function that gets objects of one kind. Declared as a method so that lists may hold such functions of several kinds side by side: who calls
 * them has the kind at hand, but TypeScript cannot know.
 */
export type Receives<T, Result> = { receive(object: T): Result }['receive']

/**
 * Which objects of a kind are kept in memory, and how. Made with `cached(NodePool, { indexes: … })`, it is also the typed handle to read
 * them by: `cache.byIndex(pools, 'cluster', 'prod')`. Declarations of the same objects (kind, namespaces, selectors) share one cache.
 */
export interface CachedKind<T extends KubernetesObject, Index extends string = never> {
  readonly kind: Resource<T>
  /** All namespaces unless told. */
  readonly namespaces?: readonly string[]
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly indexes: Readonly<Record<Index, Extract<T>>>
  /**
   * The fields that anybody looks at (`['spec.release', 'status']`); the rest is not kept. `apiVersion`, `kind` and `metadata` always are, but for
   * managedFields and what `drops` names. Without it everything is kept.
   */
  readonly keeps?: readonly string[]
  /** Fields that nobody looks at, such as `metadata.annotations`. */
  readonly drops?: readonly string[]
}

/** A kind as a handle for reading: the declaration it was cached by or, where all of it is cached, the kind itself. */
export type CacheHandle<T extends KubernetesObject, Index extends string = string> = Resource<T> | CachedKind<T, Index>

/**
 * What the caches hold, read without a request. Objects are immutable and shared: never copy one to change it, build a new one.
 *
 * Throws when the handle was not declared before the start: an empty answer would read as "there is none".
 */
export interface CacheReader {
  get<T extends KubernetesObject>(of: CacheHandle<T>, ref: Ref): T | undefined
  list<T extends KubernetesObject>(of: CacheHandle<T>, where?: { readonly namespace?: string }): readonly T[]
  byIndex<T extends KubernetesObject, Index extends string>(of: CachedKind<T, Index>, index: Index, value: string): readonly T[]
  /** How many `byIndex` would give, at the same cost however many there are. */
  count<T extends KubernetesObject, Index extends string>(of: CachedKind<T, Index>, index: Index, value: string): number
  /** Objects that are found under all of the values, looking through the smallest index only. */
  byIndexes<T extends KubernetesObject, Index extends string>(
    of: CachedKind<T, Index>,
    values: Readonly<Partial<Record<Index, string>>>,
  ): readonly T[]
}

export type CacheChange<T> =
  | { readonly type: 'added'; readonly object: T; readonly isInitial: boolean }
  | { readonly type: 'updated'; readonly object: T; readonly old: T }
  /** `isStale`: its end was not seen, a later list had it no more; this is how it was last known. */
  | { readonly type: 'deleted'; readonly object: T; readonly isStale: boolean }

export type CacheHandler<T> = Receives<CacheChange<T>, void>

/** A write of ours that the cache may not know of yet. */
export type WriteMark =
  | { readonly kind: Resource; readonly ref: Ref; readonly resourceVersion: string }
  | { readonly kind: Resource; readonly ref: Ref; readonly deletedUid: string }

/** The caches of one cluster, shared by everything that reads it. */
export interface SharedCache extends CacheReader {
  /** Before `start` only. */
  declare<T extends KubernetesObject, Index extends string>(declaration: CachedKind<T, Index>): void
  /** Called for every change, in order, right after the cache has it; must be quick and must not throw. Present objects come first. */
  onChange<T extends KubernetesObject>(of: CacheHandle<T>, handler: CacheHandler<T>): void
  /** Fills the caches and keeps them up to date until the signal is aborted; resolves then. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves when every cache has been filled once. */
  synced(signal?: AbortSignal): Promise<void>
  readonly hasSynced: boolean
  /**
   * Takes in what a write of ours returned, without waiting for the watch: older events of the object are ignored from now on. Objects
   * that no cache covers are ignored.
   */
  wrote<T extends KubernetesObject>(kind: Resource<T>, object: T): WriteMark
  /** A deletion of ours was accepted. */
  deleted(kind: Resource, ref: Ref, uid: string): WriteMark
  /** Whether the caches show all these writes, or something newer. */
  shows(marks: readonly WriteMark[]): boolean
  /** Resolves when they do. */
  shown(marks: readonly WriteMark[], signal?: AbortSignal): Promise<void>
  /** For `/debug/cache` and metrics. */
  describe(): readonly CacheDescription[]
}

export interface CacheDescription {
  /** `nodepools.hypershift.openshift.io`, with its selectors if it has any. */
  readonly name: string
  readonly objects: number
  readonly hasSynced: boolean
  readonly resourceVersion: string
  /** How often the objects were listed, and how often a watch was begun. */
  readonly lists: number
  readonly watches: number
  /** Why the last attempt failed, while nothing has succeeded since. */
  readonly problem: string | undefined
}
