import type { KubernetesObject, Resource } from '@windlass/api'
import { type Call, Caller, type CallerOptions, nameOf } from './caller.ts'
import type {
  Applied,
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  Draft,
  GetOptions,
  ListOptions,
  Page,
  Patch,
  Ref,
  Selection,
  Watch,
  WatchOptions,
  WithStatus,
  WriteOptions,
} from './client.ts'
import { deleteOptionsBody, isStillThere } from './deletion.ts'
import { isNotFound } from './errors.ts'
import { collectionPath, namespacePath, objectPath, refOf, withQuery } from './paths.ts'
import { WatchStream } from './watch-stream.ts'

export interface ClientOptions extends CallerOptions {
  /** Whose fields they are that this client writes: the name of the program. */
  readonly fieldManager: string
}

export interface RestClient extends Client {
  /** The server it asks: `127.0.0.1:6443`. */
  readonly host: string
  /** What is no object: `/version`, `/readyz`, discovery. */
  getText(path: string, options?: CallOptions): Promise<string>
}

export function createClient(options: ClientOptions): RestClient {
  return new TypedClient(options)
}

const defaultPageSize = 500

interface List {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items?: readonly KubernetesObject[] | null
}

class TypedClient implements RestClient {
  readonly host: string
  readonly #options: ClientOptions
  readonly #caller: Caller

  constructor(options: ClientOptions) {
    this.host = options.transport.host
    this.#options = options
    this.#caller = new Caller(options)
  }

  async get<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, { resourceVersion, ...options }: GetOptions = {}): Promise<T> {
    return this.#caller.json({ method: 'GET', path: withQuery(objectPath(kind, ref), { resourceVersion }), ...answerOf(options) })
  }

  async find<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, options?: GetOptions): Promise<T | undefined> {
    try {
      return await this.get(kind, ref, options)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async *list<T extends KubernetesObject>(kind: Resource<T>, options?: ListOptions): AsyncGenerator<T> {
    for await (const { items } of this.pages(kind, options)) yield* items
  }

  async *pages<T extends KubernetesObject>(kind: Resource<T>, options: ListOptions = {}): AsyncGenerator<Page<T>> {
    const { namespace, labelSelector, fieldSelector, signal, pageSize: limit = defaultPageSize } = options
    const { resourceVersion, resourceVersionMatch } = options
    const path = collectionPath(kind, namespace)
    const selection = { labelSelector, fieldSelector, limit }
    let token: string | undefined
    do {
      // The token knows the revision; saying it again is an error.
      const place = token === undefined ? { resourceVersion, resourceVersionMatch } : { continue: token }
      const list = await this.#caller.json<List>({ method: 'GET', path: withQuery(path, { ...selection, ...place }), signal })
      token = list.metadata?.continue === '' ? undefined : list.metadata?.continue
      const items = (list.items ?? []).map((item) => typed(kind, item as T))
      yield { items, resourceVersion: list.metadata?.resourceVersion ?? '', continueToken: token }
    } while (token !== undefined)
  }

  async watch<T extends KubernetesObject>(kind: Resource<T>, options: WatchOptions = {}): Promise<Watch<T>> {
    const { namespace, signal, labelSelector, fieldSelector, resourceVersion, resourceVersionMatch } = options
    const query = {
      watch: true,
      labelSelector,
      fieldSelector,
      resourceVersion,
      resourceVersionMatch,
      sendInitialEvents: options.sendInitialEvents,
      allowWatchBookmarks: options.allowBookmarks,
      timeoutSeconds: options.timeoutSeconds,
    }
    const call: Call = { method: 'GET', path: withQuery(collectionPath(kind, namespace), query), signal }
    return new WatchStream(await this.#caller.stream(call), nameOf(call), options.omitsManagedFields)
  }

  async create<T extends KubernetesObject>(kind: Resource<T>, object: Draft<T>, options: WriteOptions = {}): Promise<T> {
    const { namespace, name, generateName = '' } = object.metadata
    const path = namespacePath(kind, namespace, name ?? generateName)
    return this.#write('POST', path, typed(kind, object), options)
  }

  async update<T extends KubernetesObject>(kind: Resource<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#write('PUT', objectPath(kind, refOf(kind, object.metadata)), typed(kind, object), options)
  }

  async patch<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, patch: Patch, options: WriteOptions = {}): Promise<T> {
    return this.#patch(objectPath(kind, ref), patch, options)
  }

  apply<T extends KubernetesObject>(kind: Resource<T>, object: Applied<T>, options: ApplyOptions = {}): Promise<T> {
    return this.#apply(kind, object, undefined, options)
  }

  async delete<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, options: DeleteOptions = {}): Promise<T | undefined> {
    const body = deleteOptionsBody(options)
    const answer = await this.#caller.json<T>({
      method: 'DELETE',
      path: objectPath(kind, ref),
      ...answerOf(options),
      ...(body === undefined ? {} : { body }),
    })
    return isStillThere(kind, answer) ? answer : undefined
  }

  async deleteCollection<T extends KubernetesObject>(
    kind: Resource<T>,
    selection: Selection = {},
    options: DeleteOptions = {},
  ): Promise<void> {
    const { namespace, labelSelector, fieldSelector } = selection
    const body = deleteOptionsBody(options)
    await this.#caller.send({
      method: 'DELETE',
      path: withQuery(namespacePath(kind, namespace, 'collection'), { labelSelector, fieldSelector }),
      signal: options.signal,
      ...(body === undefined ? {} : { body }),
    })
  }

  async updateStatus<T extends KubernetesObject>(kind: WithStatus<T>, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#write('PUT', objectPath(kind, refOf(kind, object.metadata), 'status'), typed(kind, object), options)
  }

  async patchStatus<T extends KubernetesObject>(kind: WithStatus<T>, ref: Ref, patch: Patch, options: WriteOptions = {}): Promise<T> {
    return this.#patch(objectPath(kind, ref, 'status'), patch, options)
  }

  applyStatus<T extends KubernetesObject>(kind: WithStatus<T>, object: Applied<T>, options: ApplyOptions = {}): Promise<T> {
    return this.#apply(kind, object, 'status', options)
  }

  async getSubresource<R>(kind: Resource, ref: Ref, subresource: string, { signal }: CallOptions = {}): Promise<R> {
    return this.#caller.json({ method: 'GET', path: objectPath(kind, ref, subresource), signal })
  }

  async createSubresource<R>(kind: Resource, ref: Ref, subresource: string, body: object, options: WriteOptions = {}): Promise<R> {
    return this.#write('POST', objectPath(kind, ref, subresource), body, options)
  }

  async patchSubresource<R>(kind: Resource, ref: Ref, subresource: string, patch: Patch, options: WriteOptions = {}): Promise<R> {
    return this.#patch(objectPath(kind, ref, subresource), patch, options)
  }

  async getText(path: string, { signal }: CallOptions = {}): Promise<string> {
    const { body } = await this.#caller.send({ method: 'GET', path, signal })
    return body.toString('utf8')
  }

  close(): Promise<void> {
    return this.#options.transport.close()
  }

  #write<R>(method: 'POST' | 'PUT', path: string, body: object, options: WriteOptions): Promise<R> {
    return this.#caller.json({ method, path: withQuery(path, this.#writeQuery(options)), body, ...answerOf(options) })
  }

  #patch<R>(path: string, patch: Patch, options: WriteOptions): Promise<R> {
    const contentType = Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json'
    const call = { method: 'PATCH', path: withQuery(path, this.#writeQuery(options)), body: patch, contentType } as const
    return this.#caller.json({ ...call, ...answerOf(options) })
  }

  async #apply<T extends KubernetesObject>(
    kind: Resource<T>,
    object: Applied<T>,
    subresource: string | undefined,
    options: ApplyOptions,
  ): Promise<T> {
    const query = { ...this.#writeQuery(options), force: options.force }
    return this.#caller.json({
      method: 'PATCH',
      path: withQuery(objectPath(kind, refOf(kind, object.metadata), subresource), query),
      body: typed(kind, object),
      // JSON is YAML, and servers before 1.33 know no other name for it.
      contentType: 'application/apply-patch+yaml',
      ...answerOf(options),
    })
  }

  #writeQuery({ dryRun = false, fieldManager = this.#options.fieldManager }: WriteOptions): Record<string, string | undefined> {
    return { fieldManager, dryRun: dryRun ? 'All' : undefined }
  }
}

/** What a call is to know of its caller. */
function answerOf({ signal, omitsManagedFields }: CallOptions): Pick<Call, 'signal' | 'omitsManagedFields'> {
  return { signal, omitsManagedFields }
}

/** Says what it is. Servers leave that out of the items of a list, and drafts need not say it either. */
function typed<T extends object>({ apiVersion, kind }: Resource, object: T): T {
  const given: { readonly apiVersion?: unknown; readonly kind?: unknown } = object
  return given.apiVersion === apiVersion && given.kind === kind ? object : { ...object, apiVersion, kind }
}
