import type { KubernetesObject, Resource } from '@windlass/api'
import type { CacheDescription, CacheHandle, CachedKind, CacheHandler, SharedCache, WriteMark } from '../../cache/cache.ts'
import type { Ref } from '../../client/client.ts'

/** A cache that holds nothing and is filled when it is told so: for tests of what waits for caches. */
export class FakeCache implements SharedCache {
  readonly #filled = Promise.withResolvers<void>()
  readonly #failed = Promise.withResolvers<never>()
  readonly steps: string[]
  hasSynced = false
  problem: string | undefined

  /** Writes down in `steps` when it starts and stops. */
  constructor(steps: string[] = []) {
    this.steps = steps
    this.#failed.promise.catch(() => {})
  }

  fill(): void {
    this.hasSynced = true
    this.#filled.resolve()
  }

  fail(error: Error): void {
    this.#failed.reject(error)
  }

  async run(signal: AbortSignal): Promise<void> {
    this.steps.push('caches start')
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    await Promise.race([stopped, this.#failed.promise])
    this.steps.push('caches stop')
  }

  synced(signal?: AbortSignal): Promise<void> {
    const aborted = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true }))
    return Promise.race([this.#filled.promise, aborted])
  }

  describe(): readonly CacheDescription[] {
    const { hasSynced, problem } = this
    return [{ name: 'widgets.test.windlass.dev', objects: 0, hasSynced, resourceVersion: '1', lists: 1, watches: 1, problem }]
  }

  declare<T extends KubernetesObject, Index extends string>(_declaration: CachedKind<T, Index>): void {}
  onChange<T extends KubernetesObject>(_of: CacheHandle<T>, _handler: CacheHandler<T>): void {}
  get<T extends KubernetesObject>(_of: CacheHandle<T>, _ref: Ref): T | undefined {
    return undefined
  }
  list<T extends KubernetesObject>(_of: CacheHandle<T>): readonly T[] {
    return []
  }
  byIndex(): readonly never[] {
    return []
  }
  count(): number {
    return 0
  }
  byIndexes(): readonly never[] {
    return []
  }
  wrote<T extends KubernetesObject>(kind: Resource<T>): WriteMark {
    return { kind, ref: { name: '' }, resourceVersion: '1' }
  }
  deleted(kind: Resource, ref: Ref, uid: string): WriteMark {
    return { kind, ref, deletedUid: uid }
  }
  shows(): boolean {
    return true
  }
  shown(): Promise<void> {
    return Promise.resolve()
  }
}
