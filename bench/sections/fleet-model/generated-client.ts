import type { KubernetesObject, Resource } from '@windlass/api'
import { ApiError, type ListOptions, type Page, type Watch, type WatchEvent, type WatchOptions } from '@windlass/kube'
import { MemoryApi } from '../../../packages/fleet/src/testing/memory-api.ts'
import { MemoryClient } from '../../../packages/fleet/src/testing/memory-client.ts'
import { MemoryWatch } from '../../../packages/fleet/src/testing/memory-watch.ts'
import { objectsOf } from './objects.ts'

const served = new Set(['hostedclusters', 'controlplanecomponents', 'nodepools'])
const pageSize = 500

/** A server of a large fleet that keeps nothing: lists are made up as they are read, and go through JSON as they would on a wire. */
export class GeneratedClient extends MemoryClient {
  readonly #clusters: number
  readonly #watches = new Map<string, MemoryWatch>()
  #revision = 1_000_000

  constructor(clusters: number) {
    super(new MemoryApi())
    this.#clusters = clusters
  }

  override async *pages<T extends KubernetesObject>(kind: Resource<T>, options: ListOptions = {}): AsyncIterable<Page<T>> {
    this.#assertServed(kind)
    let items: string[] = []
    for (const object of objectsOf(kind, options.pageSize === 1 ? 1 : this.#clusters)) {
      items.push(JSON.stringify(this.#stored(object)))
      if (items.length < pageSize) continue
      yield this.#page(items, 'more')
      items = []
      await Promise.resolve()
    }
    yield this.#page(items, undefined)
  }

  override watch<T extends KubernetesObject>(kind: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    this.#assertServed(kind)
    // Lists come page by page; a stream of everything would have to be in memory.
    if (options.sendInitialEvents === true)
      return Promise.reject(new ApiError({ code: 422, reason: 'Invalid', message: 'no streams here' }, 'watch'))
    const watch = new MemoryWatch(
      kind.plural,
      () => true,
      () => this.#watches.delete(kind.plural),
    )
    this.#watches.set(kind.plural, watch)
    // The kind of the watch is that of its objects.
    return Promise.resolve(watch.open(options.signal) as Watch<T>)
  }

  /** The object has changed. */
  send(kind: Resource, object: KubernetesObject): void {
    const event = JSON.parse(JSON.stringify({ type: 'MODIFIED', object: this.#stored(object) })) as WatchEvent<KubernetesObject>
    this.#watches.get(kind.plural)?.send([event])
  }

  #page<T>(items: readonly string[], continueToken: string | undefined): Page<T> {
    // These are objects of the kind that was asked for.
    return { items: JSON.parse(`[${items.join(',')}]`) as T[], resourceVersion: String(this.#revision), continueToken }
  }

  #stored(object: KubernetesObject): KubernetesObject {
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#revision) } }
  }

  #assertServed({ plural }: Resource): void {
    if (!served.has(plural)) throw new ApiError({ code: 404, message: 'the server could not find the requested resource' }, 'list')
  }
}
