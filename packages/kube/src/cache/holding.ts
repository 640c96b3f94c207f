import type { KubernetesObject, Resource } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import type { Client, Ref } from '../client/client.ts'
import { describeRef } from '../objects/refs.ts'
import type { Log } from '../log.ts'
import { type Admission, admissionOf } from './admission.ts'
import type { Breather } from './breather.ts'
import type { CachedKind, CacheDescription, CacheHandler, WriteMark } from './cache.ts'
import { Collection } from './collection.ts'
import { coverageOf, describeHandle } from './declaration.ts'
import { intersection, type ObjectIndex } from './object-index.ts'
import { Part } from './part.ts'
import type { FieldChoice } from './projection.ts'
import { Reflector } from './reflector.ts'
import { isOlder } from './resource-version.ts'
import type { StringTable } from './string-table.ts'

/** What all holdings of a shared cache have in common. */
export interface HoldingContext {
  readonly client: Pick<Client, 'pages' | 'watch'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly breather: Breather
  readonly strings: StringTable
  readonly freezes: boolean
  /** Called when a holding shows something new. */
  readonly onStep: () => void
}

/** One cache: the objects of one or several equal declarations, and the reflectors that keep them up to date. */
export class Holding<T extends KubernetesObject> {
  readonly name: string
  readonly #kind: Resource<T>
  readonly #collection: Collection<T>
  readonly #choices: FieldChoice[] = []
  /** By namespace; the only one is under undefined when all namespaces are covered. */
  readonly #parts: ReadonlyMap<string | undefined, Part<T>>
  readonly #reflectors: readonly Reflector<T>[]
  #admission: Admission<T> | undefined

  constructor(declaration: CachedKind<T, string>, context: HoldingContext) {
    const { kind } = declaration
    const { namespaces, selectors } = coverageOf(declaration)
    this.name = describeHandle(declaration)
    this.#kind = kind
    const log = context.log.child({ cache: this.name })
    // Not before the first object comes: until then somebody may declare that more of it is wanted.
    const admit: Admission<T> = (object, old) => {
      this.#admission ??= admissionOf(this.#choices, context.strings, context.freezes)
      return this.#admission(object, old)
    }
    const collection = new Collection(admit, log)
    this.#collection = collection
    const isSelective = Object.keys(selectors).length > 0
    this.#parts = new Map(
      (namespaces ?? [undefined]).map((namespace) => [namespace, new Part({ collection, namespace, isSelective, onStep: context.onStep })]),
    )
    this.#reflectors = Array.from(this.#parts, ([namespace, sink]) => {
      const selection = { ...selectors, ...(namespace === undefined ? {} : { namespace }) }
      return new Reflector({ ...context, kind, selection, sink, log })
    })
  }

  /** One more declaration of the same objects. */
  join(declaration: CachedKind<T, string>): void {
    this.#choices.push(declaration)
    for (const extract of Object.values(declaration.indexes)) this.#collection.store.addIndex(extract)
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.run(signal)))
  }

  get hasSynced(): boolean {
    return this.#parts.values().every((part) => part.hasSynced)
  }

  get(ref: Ref): T | undefined {
    const { namespace = '', name } = ref
    if (this.#kind.scope === 'Cluster') return this.#collection.store.get('', name)
    if (namespace === '') throw new TypeError(`${describeRef(this.#kind, ref)}: the kind has namespaces, say which`)
    this.#assertCovers(namespace)
    return this.#collection.store.get(namespace, name)
  }

  list(namespace: string | undefined): readonly T[] {
    const { store } = this.#collection
    if (namespace === undefined || this.#kind.scope === 'Cluster') return store.all()
    this.#assertCovers(namespace)
    return store.inNamespace(namespace)
  }

  byIndex(declaration: CachedKind<T, string>, index: string, value: string): readonly T[] {
    return Array.from(this.#index(declaration, index).places(value), ({ object }) => object)
  }

  count(declaration: CachedKind<T, string>, index: string, value: string): number {
    return this.#index(declaration, index).places(value).size
  }

  byIndexes(declaration: CachedKind<T, string>, values: Readonly<Record<string, string | undefined>>): readonly T[] {
    const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
    if (given.length === 0) return this.#collection.store.all()
    return intersection(given.map(([index, value]) => this.#index(declaration, index).places(value)))
  }

  onChange(handler: CacheHandler<T>): void {
    this.#collection.audience.add(handler, this.#collection.store.all())
  }

  wrote(object: T): void {
    this.#part(object.metadata.namespace)?.wrote(object)
  }

  /** What it does not cover it has nothing to show of. */
  shows(mark: WriteMark): boolean {
    const part = this.#part(mark.ref.namespace)
    if (part === undefined) return true
    return 'deletedUid' in mark ? part.showsEnd(mark.ref, mark.deletedUid) : part.shows(mark.ref, mark.resourceVersion)
  }

  describe(): CacheDescription {
    const versions = Array.from(this.#parts.values(), (part) => part.resourceVersion)
    return {
      name: this.name,
      objects: this.#collection.store.size,
      hasSynced: this.hasSynced,
      resourceVersion: versions.includes('') ? '' : versions.reduce((oldest, version) => (isOlder(version, oldest) ? version : oldest)),
      lists: this.#reflectors.reduce((sum, { lists }) => sum + lists, 0),
      watches: this.#reflectors.reduce((sum, { watches }) => sum + watches, 0),
      problem: this.#reflectors.find(({ problem }) => problem !== undefined)?.problem,
    }
  }

  #part(namespace: string | undefined): Part<T> | undefined {
    return this.#parts.get(namespace) ?? this.#parts.get(undefined)
  }

  #assertCovers(namespace: string): void {
    if (this.#part(namespace) !== undefined) return
    throw new TypeError(`${this.name}: nothing is known of namespace ${namespace}; declare it with cached(${this.#kind.kind}, …) as well`)
  }

  #index(declaration: CachedKind<T, string>, name: string): ObjectIndex<T> {
    const extract = declaration.indexes[name]
    const index = extract === undefined ? undefined : this.#collection.store.index(extract)
    if (index !== undefined) return index
    throw new TypeError(
      `${this.name} has no index ${name}: name it in cached(${this.#kind.kind}, { indexes }) and declare that before the start`,
    )
  }
}
