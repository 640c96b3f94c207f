import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'

/** Names one object of a kind. The namespace is left out for kinds that have none. */
export interface Ref {
  readonly namespace?: string
  readonly name: string
}

export interface CallOptions {
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal
  /** Leaves `metadata.managedFields` out of answers and events. It is half of most objects, and reading it takes longer than the rest. Lists have it all the same. */
  readonly omitsManagedFields?: boolean
}

export interface GetOptions extends CallOptions {
  /** `0` allows an answer from the server's cache; without it the answer is the newest state. */
  readonly resourceVersion?: string
}

export interface Selection {
  /** All namespaces without it. */
  readonly namespace?: string
  /** As `kubectl -l` takes it: `app=web,tier in (a,b)`. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface ListOptions extends Selection, CallOptions {
  /** How many objects the server sends at once; 500 unless told. */
  readonly pageSize?: number
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Of the whole list: where to watch from. */
  readonly resourceVersion: string
  /** Where to go on from; undefined on the last page. */
  readonly continueToken: string | undefined
}

export interface WriteOptions extends CallOptions {
  /** Checks everything and stores nothing. */
  readonly dryRun?: boolean
  /** Whose fields they become; the client's own name unless told. */
  readonly fieldManager?: string
}

export interface ApplyOptions extends WriteOptions {
  /** Takes fields from their owners instead of failing with a conflict. */
  readonly force?: boolean
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
  /** Fails with a conflict when the object is another one by now, or has changed. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** A JSON merge patch (an object: `null` removes), or a JSON patch (a list of operations). */
export type Patch = JsonObject | readonly JsonPatchOperation[]

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/** An object to be created or applied: kind and apiVersion are filled in, the server's own fields need not be there. */
export type Draft<T extends KubernetesObject> = Omit<T, 'apiVersion' | 'kind' | 'status'> & {
  readonly apiVersion?: T['apiVersion']
  readonly kind?: T['kind']
  readonly status?: StatusOf<T>
}

/** As much of an object as somebody wants to own. */
export type Partially<T> = T extends readonly (infer E)[]
  ? readonly Partially<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Partially<T[K]> }
    : T

/** What is applied: names the object, and holds the fields that the applier wants to own. */
export type Applied<T extends KubernetesObject> = Partially<Omit<T, 'metadata'>> & {
  readonly metadata: T['metadata'] & { readonly name: string }
}

/** The type of a kind's status; `never` for kinds that have none, so that their status methods cannot be called. */
export type StatusOf<T> = T extends { readonly status?: infer S } ? NonNullable<S> : never

/**
 * A kind that has a status. One that declares to have none does not fit, and the compiler says so in these words; of any object at all
 * nobody knows.
 */
export type WithStatus<T extends KubernetesObject> = Resource<T> & (HasNoStatus<T> extends true ? StatusMissing : unknown)

interface StatusMissing {
  readonly 'objects of this kind have no status': never
}

type HasNoStatus<T> = 'status' extends keyof T ? ([StatusOf<T>] extends [never] ? true : false) : false

export interface WatchOptions extends Selection, CallOptions {
  /** Changes after this revision are sent; without it, or with `sendInitialEvents`, the present state comes first. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'NotOlderThan'
  readonly sendInitialEvents?: boolean
  readonly allowBookmarks?: boolean
  /** After how long the server is to end the watch. */
  readonly timeoutSeconds?: number
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }

/**
 * Events as they come, those that arrived together in one array: whoever handles them can do so in one step. Ends when the server ends the watch.
 * An `ERROR` event is thrown as the `ApiError` it carries.
 */
export interface Watch<T> extends AsyncIterable<readonly WatchEvent<T>[]> {
  /** Leaves the watch. */
  close(): void
}

/**
 * Typed access to a Kubernetes API.
 *
 * # Errors
 *
 * An `ApiError` (see `errors.ts`: `isNotFound`, `isConflict`, …) when the server refuses, a `ConnectionError` when it does not answer, the
 * signal's reason when the call was aborted. Reads, and writes that the server cannot have seen, are tried again a few times first; so is
 * everything that the server asks to be sent again later (429 and 503 with Retry-After).
 */
export interface Client {
  get<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, options?: GetOptions): Promise<T>
  /** Undefined where `get` would throw a NotFound. */
  find<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, options?: GetOptions): Promise<T | undefined>
  /** All objects, fetched page by page as they are asked for. Throws an Expired error when the history that it pages through is forgotten meanwhile. */
  list<T extends KubernetesObject>(kind: Resource<T>, options?: ListOptions): AsyncIterable<T>
  pages<T extends KubernetesObject>(kind: Resource<T>, options?: ListOptions): AsyncIterable<Page<T>>
  watch<T extends KubernetesObject>(kind: Resource<T>, options?: WatchOptions): Promise<Watch<T>>

  create<T extends KubernetesObject>(kind: Resource<T>, object: Draft<T>, options?: WriteOptions): Promise<T>
  /** Replaces an object; fails with a Conflict when it has another resourceVersion by now. */
  update<T extends KubernetesObject>(kind: Resource<T>, object: T, options?: WriteOptions): Promise<T>
  patch<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, patch: Patch, options?: WriteOptions): Promise<T>
  /** Server-side apply. */
  apply<T extends KubernetesObject>(kind: Resource<T>, object: Applied<T>, options?: ApplyOptions): Promise<T>
  /** The object as it was last, when it is still there because of its finalizers; undefined when it is gone. */
  delete<T extends KubernetesObject>(kind: Resource<T>, ref: Ref, options?: DeleteOptions): Promise<T | undefined>
  deleteCollection<T extends KubernetesObject>(kind: Resource<T>, selection?: Selection, options?: DeleteOptions): Promise<void>

  updateStatus<T extends KubernetesObject>(kind: WithStatus<T>, object: T, options?: WriteOptions): Promise<T>
  patchStatus<T extends KubernetesObject>(kind: WithStatus<T>, ref: Ref, patch: Patch, options?: WriteOptions): Promise<T>
  applyStatus<T extends KubernetesObject>(kind: WithStatus<T>, object: Applied<T>, options?: ApplyOptions): Promise<T>

  /** `scale`, and others that are read like an object. */
  getSubresource<R>(kind: Resource, ref: Ref, subresource: string, options?: CallOptions): Promise<R>
  /** `eviction`, `token`, `binding`: what is sent makes something happen. */
  createSubresource<R>(kind: Resource, ref: Ref, subresource: string, body: object, options?: WriteOptions): Promise<R>
  patchSubresource<R>(kind: Resource, ref: Ref, subresource: string, patch: Patch, options?: WriteOptions): Promise<R>

  close(): Promise<void>
}
