import type { KubernetesObject, Resource } from '@windlass/api'
import type { CacheChange, CachedKind, CacheDescription, CacheHandle, CacheHandler, SharedCache, WriteMark } from '../../cache/cache.ts'
import { describeHandle, kindKey, kindOf } from '../../cache/declaration.ts'
import type { Ref } from '../../client/client.ts'
import { keyOf, refOf } from '../../objects/refs.ts'

interface Table {
  readonly name: string
  readonly objects: Map<string, KubernetesObject>
  readonly handlers: CacheHandler<KubernetesObject>[]
}

/** A cache that holds what a test puts in, and shows writes when the test says so. */
export class FakeCache implements SharedCache {
  readonly #tables = new Map<string, Table>()
  readonly #unseen: (() => void)[] = []
  readonly #waiting: (() => void)[] = []
  hasSynced = true
  /** Keeps writes to itself until `catchUp`. */
  isLate = false

  declare(declaration: CachedKind<KubernetesObject, string>): void {
    const key = kindKey(declaration.kind)
    if (!this.#tables.has(key)) this.#tables.set(key, { name: describeHandle(declaration), objects: new Map(), handlers: [] })
  }

  onChange<T extends KubernetesObject>(of: CacheHandle<T>, handler: CacheHandler<T>): void {
    this.#table(of).handlers.push(handler)
  }

  /** What a watch would tell. */
  put<T extends KubernetesObject>(kind: Resource<T>, object: T, { isInitial = false } = {}): void {
    const { objects } = this.#table(kind)
    const key = keyOf(refOf(object))
    const old = objects.get(key)
    objects.set(key, object)
    this.#tell(kind, old === undefined ? { type: 'added', object, isInitial } : { type: 'updated', object, old })
  }

  remove(kind: Resource, ref: Ref): void {
    const { objects } = this.#table(kind)
    const object = objects.get(keyOf(ref))
    objects.delete(keyOf(ref))
    if (object !== undefined) this.#tell(kind, { type: 'deleted', object, isStale: false })
  }

  get<T extends KubernetesObject>(of: CacheHandle<T>, ref: Ref): T | undefined {
    return this.#objects(of).get(keyOf(ref))
  }

  list<T extends KubernetesObject>(of: CacheHandle<T>, where: { readonly namespace?: string } = {}): readonly T[] {
    const all = [...this.#objects(of).values()]
    return where.namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === where.namespace)
  }

  byIndex<T extends KubernetesObject, Index extends string>(of: CachedKind<T, Index>, index: Index, value: string): readonly T[] {
    return this.list(of).filter((object) => of.indexes[index](object).includes(value))
  }

  count<T extends KubernetesObject, Index extends string>(of: CachedKind<T, Index>, index: Index, value: string): number {
    return this.byIndex(of, index, value).length
  }

  byIndexes(): never {
    throw new Error('no test needs it')
  }

  run(): Promise<void> {
    return Promise.resolve()
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#waitUntil(() => this.hasSynced, signal)
  }

  wrote<T extends KubernetesObject>(kind: Resource<T>, object: T): WriteMark {
    if (this.#tables.has(kindKey(kind))) this.#see(() => this.put(kind, object))
    return { kind, ref: refOf(object), resourceVersion: object.metadata.resourceVersion ?? '' }
  }

  deleted(kind: Resource, ref: Ref, deletedUid: string): WriteMark {
    if (this.#tables.has(kindKey(kind))) this.#see(() => this.remove(kind, ref))
    return { kind, ref, deletedUid }
  }

  shows(_marks: readonly WriteMark[]): boolean {
    return this.#unseen.length === 0
  }

  shown(marks: readonly WriteMark[], signal?: AbortSignal): Promise<void> {
    return this.#waitUntil(() => this.shows(marks), signal)
  }

  describe(): readonly CacheDescription[] {
    return [...this.#tables.values()].map(({ name, objects }) => ({
      name,
      objects: objects.size,
      hasSynced: this.hasSynced,
      resourceVersion: '1',
      lists: 1,
      watches: 1,
      problem: this.hasSynced ? undefined : 'forbidden',
    }))
  }

  /** Shows everything that was written. */
  catchUp(): void {
    for (const see of this.#unseen.splice(0)) see()
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #see(change: () => void): void {
    if (this.isLate) this.#unseen.push(change)
    else change()
  }

  async #waitUntil(isSo: () => boolean, signal?: AbortSignal): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve)
        signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
      })
    }
  }

  #tell(kind: Resource, change: CacheChange<KubernetesObject>): void {
    for (const handler of this.#table(kind).handlers) handler(change)
  }

  /** Objects of the kind were put in under the kind. */
  #objects<T extends KubernetesObject>(of: CacheHandle<T>): Map<string, T> {
    return this.#table(of).objects as unknown as Map<string, T>
  }

  #table(of: CacheHandle<KubernetesObject>): Table {
    const key = kindKey(kindOf(of))
    const table = this.#tables.get(key)
    if (table === undefined) throw new Error(`${key} was not declared`)
    return table
  }
}
