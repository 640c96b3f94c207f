import type { KubernetesObject, Resource } from '@windlass/api'
import {
  ApiError,
  type Client,
  describeRef,
  keyOf,
  type ListOptions,
  type Page,
  type Ref,
  refOf,
  type Watch,
  type WatchOptions,
} from '@windlass/kube'
import type { MemoryApi } from './memory-api.ts'

/** A client of a server in memory. It reads: a fleet never writes, and a test is told when it does. */
export class MemoryClient implements Client {
  readonly #api: MemoryApi
  isClosed = false

  constructor(api: MemoryApi) {
    this.#api = api
  }

  async get<T extends KubernetesObject>(kind: Resource<T>, ref: Ref): Promise<T> {
    const found = await this.find(kind, ref)
    if (found === undefined) throw new ApiError({ code: 404, reason: 'NotFound', message: `${describeRef(kind, ref)} not found` }, 'get')
    return found
  }

  async find<T extends KubernetesObject>(kind: Resource<T>, ref: Ref): Promise<T | undefined> {
    for await (const object of this.list(kind)) if (keyOf(refOf(object)) === keyOf(ref)) return object
    return undefined
  }

  async *list<T extends KubernetesObject>(kind: Resource<T>, options?: ListOptions): AsyncIterable<T> {
    for await (const { items } of this.pages(kind, options)) yield* items
  }

  pages<T extends KubernetesObject>(kind: Resource<T>, options?: ListOptions): AsyncIterable<Page<T>> {
    return this.#api.pages(kind, options)
  }

  watch<T extends KubernetesObject>(kind: Resource<T>, options?: WatchOptions): Promise<Watch<T>> {
    return this.#api.watch(kind, options)
  }

  create(): Promise<never> {
    return writes()
  }

  update(): Promise<never> {
    return writes()
  }

  patch(): Promise<never> {
    return writes()
  }

  apply(): Promise<never> {
    return writes()
  }

  delete(): Promise<never> {
    return writes()
  }

  deleteCollection(): Promise<never> {
    return writes()
  }

  updateStatus(): Promise<never> {
    return writes()
  }

  patchStatus(): Promise<never> {
    return writes()
  }

  applyStatus(): Promise<never> {
    return writes()
  }

  getSubresource(): Promise<never> {
    return writes()
  }

  createSubresource(): Promise<never> {
    return writes()
  }

  patchSubresource(): Promise<never> {
    return writes()
  }

  close(): Promise<void> {
    this.isClosed = true
    return Promise.resolve()
  }
}

function writes(): Promise<never> {
  return Promise.reject(new Error('a fleet only lists and watches: something has tried to do more'))
}
