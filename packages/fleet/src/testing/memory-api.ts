import type { KubernetesObject, Resource } from '@windlass/api'
import {
  ApiError,
  type Client,
  ConnectionError,
  keyOf,
  type ListOptions,
  type Page,
  type Ref,
  type Watch,
  type WatchEvent,
  type WatchOptions,
} from '@windlass/kube'
import { MemoryClient } from './memory-client.ts'
import { MemoryWatch } from './memory-watch.ts'

interface Happening {
  readonly revision: number
  readonly kind: string
  readonly event: WatchEvent<KubernetesObject>
}

/**
 * As much of a Kubernetes API as a fleet reads, in memory and without JSON: lists, watches, and all that can go wrong with them. What a server is to do is done by
 * calling it: `put`, `remove`, `goDown`.
 */
export class MemoryApi {
  readonly #served = new Set<string>()
  readonly #objects = new Map<string, Map<string, KubernetesObject>>()
  readonly #watches = new Set<MemoryWatch>()
  readonly #forbidden = new Set<string>()
  #log: Happening[] = []
  #forgotten = 0
  #revision = 100
  #failure: Error | undefined

  constructor(...served: readonly Resource[]) {
    this.serve(...served)
  }

  /** From now on it has these kinds. */
  serve(...kinds: readonly Resource[]): void {
    for (const kind of kinds) this.#served.add(nameOf(kind))
  }

  /** It does not have the kind any more. */
  withdraw(kind: Resource): void {
    this.#served.delete(nameOf(kind))
    this.#objects.delete(nameOf(kind))
    this.#endWatches((watch) => watch.kind === nameOf(kind))
  }

  forbid(kind: Resource): void {
    this.#forbidden.add(nameOf(kind))
  }

  allow(kind: Resource): void {
    this.#forbidden.delete(nameOf(kind))
  }

  client(): Client {
    return new MemoryClient(this)
  }

  /** Creates the object or changes it. */
  put<T extends KubernetesObject>(kind: Resource<T>, object: T): T {
    const all = this.#all(kind)
    const old = all.get(keyIn(object))
    const revision = ++this.#revision
    const uid = old?.metadata.uid ?? `${nameOf(kind)} ${keyIn(object)} ${revision}`
    const stored: T = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(revision) } }
    all.set(keyIn(object), stored)
    this.#happen(kind, { type: old === undefined ? 'ADDED' : 'MODIFIED', object: stored })
    return stored
  }

  remove(kind: Resource, ref: Ref): void {
    const all = this.#all(kind)
    const old = all.get(keyOf(ref))
    if (old === undefined) return
    all.delete(keyOf(ref))
    const resourceVersion = String(++this.#revision)
    this.#happen(kind, { type: 'DELETED', object: { ...old, metadata: { ...old.metadata, resourceVersion } } })
  }

  /** What is there of a kind, in no order that matters. */
  all<T extends KubernetesObject>(kind: Resource<T>): readonly T[] {
    // Objects are kept under the kind that they were put in by.
    return [...this.#all(kind).values()] as unknown as readonly T[]
  }

  /** Every request fails, and every watch ends, until it is up again. */
  goDown(
    failure: Error = new ConnectionError('memory:6443 refuses connections: check that the server runs (ECONNREFUSED)', 'ECONNREFUSED'),
  ): void {
    this.#failure = failure
    for (const watch of this.#watches) watch.fail(failure)
    this.#watches.clear()
  }

  goUp(): void {
    this.#failure = undefined
  }

  /** Forgets what has happened and ends all watches: whoever watches has to list again. */
  compact(): void {
    this.#forgotten = this.#revision
    this.#log = []
    this.#endWatches(() => true)
  }

  async *pages<T extends KubernetesObject>(kind: Resource<T>, options: ListOptions = {}): AsyncIterable<Page<T>> {
    await this.#answer(kind, options.signal)
    const items = this.all(kind).filter((object) => isSelected(object, options))
    yield { items, resourceVersion: String(this.#revision), continueToken: undefined }
  }

  async watch<T extends KubernetesObject>(kind: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    await this.#answer(kind, options.signal)
    const from = Number(options.resourceVersion ?? 0)
    const isWhole = options.sendInitialEvents === true || options.resourceVersion === undefined
    if (!isWhole && from < this.#forgotten)
      throw new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' }, 'watch')
    const watch = new MemoryWatch(
      nameOf(kind),
      (object) => isSelected(object, options),
      () => this.#watches.delete(watch),
    )
    this.#watches.add(watch)
    if (isWhole) watch.send([...this.all(kind).map((object) => ({ type: 'ADDED' as const, object })), endOfInitialEvents(this.#revision)])
    else watch.send(this.#log.filter(({ revision, kind: of }) => of === nameOf(kind) && revision > from).map(({ event }) => event))
    // The kind of the watch is that of its objects.
    return watch.open(options.signal) as Watch<T>
  }

  #all(kind: Resource): Map<string, KubernetesObject> {
    const name = nameOf(kind)
    const known = this.#objects.get(name) ?? new Map<string, KubernetesObject>()
    this.#objects.set(name, known)
    return known
  }

  #happen(kind: Resource, event: WatchEvent<KubernetesObject>): void {
    this.#log.push({ revision: this.#revision, kind: nameOf(kind), event })
    for (const watch of this.#watches) if (watch.kind === nameOf(kind)) watch.send([event])
  }

  #endWatches(isMeant: (watch: MemoryWatch) => boolean): void {
    for (const watch of this.#watches) {
      if (!isMeant(watch)) continue
      watch.end()
      this.#watches.delete(watch)
    }
  }

  async #answer(kind: Resource, signal: AbortSignal | undefined): Promise<void> {
    await Promise.resolve()
    signal?.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure
    const name = nameOf(kind)
    if (this.#forbidden.has(name)) {
      throw new ApiError({ code: 403, reason: 'Forbidden', message: `${name} is forbidden: User "viewer" cannot list resource` }, 'list')
    }
    if (!this.#served.has(name)) throw new ApiError({ code: 404, message: 'the server could not find the requested resource' }, 'list')
  }
}

function nameOf({ plural, group }: Resource): string {
  return `${plural}.${group}`
}

function keyIn({ metadata: { namespace, name = '' } }: KubernetesObject): string {
  return keyOf(namespace === undefined ? { name } : { namespace, name })
}

function endOfInitialEvents(revision: number): WatchEvent<KubernetesObject> {
  const metadata = { resourceVersion: String(revision), annotations: { 'k8s.io/initial-events-end': 'true' } }
  return { type: 'BOOKMARK', object: { apiVersion: 'v1', kind: 'Bookmark', metadata } }
}

/** Namespaces, and selectors of fields that are equal to something. */
function isSelected(
  object: KubernetesObject,
  { namespace, fieldSelector = '' }: { readonly namespace?: string; readonly fieldSelector?: string },
): boolean {
  if (namespace !== undefined && object.metadata.namespace !== namespace) return false
  return fieldSelector
    .split(',')
    .filter((term) => term !== '')
    .every((term) => {
      const [path = '', value] = term.split('=')
      let found: unknown = object
      for (const name of path.split('.')) found = (found as Record<string, unknown> | undefined)?.[name]
      return found === value
    })
}
