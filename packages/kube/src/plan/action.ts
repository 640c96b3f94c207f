import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'
import type { Applied, Draft, Ref, StatusOf } from '../client/client.ts'

/**
 * What a controller wants done, as a value: it can be printed, compared, replayed and tested. Each carries its reason, in words that finish the sentence
 * "because …". Made by the functions in `actions.ts`.
 */
export type Action = CreateAction | EnsureAction | ApplyAction | PatchAction | StatusAction | DeleteAction | EventAction

interface Reasoned {
  readonly reason: string
  /**
   * Actions of one branch do not depend on those of another: when one fails, the rest of its branch is left out and the other branches are still
   * carried out. Without it, a failure ends the plan.
   */
  readonly branch?: string
}

/** Creates an object. One that exists already is left alone: a pass that was repeated must not fail. */
export interface CreateAction<T extends KubernetesObject = KubernetesObject> extends Reasoned {
  readonly do: 'create'
  readonly kind: Resource<T>
  readonly object: Draft<T>
  /** One that exists already is a conflict: what follows was decided about an object that was not there. */
  readonly mustBeNew?: boolean
}

/**
 * Makes an object look like this: creates it, or patches what differs from the cache. What the object has beyond the draft stays, save
 * for maps below the paths in `owns` (`['spec.template.metadata.labels']`), where keys that the draft does not have are removed. The same goes for
 * what elements of a list have beyond those of the draft; a list that differs is replaced whole. Owners and finalizers are only ever added. Nothing is
 * sent when nothing differs. Status is not touched.
 */
export interface EnsureAction<T extends KubernetesObject = KubernetesObject> extends Reasoned {
  readonly do: 'ensure'
  readonly kind: Resource<T>
  readonly object: Draft<T>
  readonly owns: readonly string[]
}

/** Server-side apply. Sent when the cached object differs from what is applied, or when it is not known what was applied last. */
export interface ApplyAction<T extends KubernetesObject = KubernetesObject> extends Reasoned {
  readonly do: 'apply'
  readonly kind: Resource<T>
  readonly object: Applied<T>
  readonly force: boolean
}

/** A merge patch. With `resourceVersion` it fails when the object has changed since it was read. */
export interface PatchAction<T extends KubernetesObject = KubernetesObject> extends Reasoned {
  readonly do: 'patch'
  readonly kind: Resource<T>
  readonly ref: Ref
  readonly patch: JsonObject
  readonly resourceVersion: string | undefined
}

/**
 * Makes the status look like this, field by field: a field that is undefined is removed, one that is null is written as null, one that is not mentioned
 * stays. Nothing is sent when nothing differs.
 */
export interface StatusAction<T extends KubernetesObject = KubernetesObject> extends Reasoned {
  readonly do: 'status'
  readonly kind: Resource<T>
  /** The object as it was observed. */
  readonly object: T
  readonly status: { readonly [K in keyof StatusOf<T>]?: StatusOf<T>[K] | undefined }
  /** Fails with a conflict when the object has changed since it was observed. */
  readonly ifUnchanged: boolean
}

/** Deletes an object, if it is still the one that was observed. One that is gone is no error. */
export interface DeleteAction<T extends KubernetesObject = KubernetesObject> extends Reasoned {
  readonly do: 'delete'
  readonly kind: Resource<T>
  readonly object: T
  readonly propagation: 'Background' | 'Foreground' | 'Orphan'
  /** How long it may take to end, instead of what the object says itself; sent to one that is being deleted already when it is less than that. */
  readonly gracePeriodSeconds?: number
}

/** Tells people. `word` is the event's reason: one word in CamelCase. */
export interface EventAction extends Reasoned {
  readonly do: 'event'
  readonly regarding: KubernetesObject
  readonly type: 'Normal' | 'Warning'
  readonly word: string
  readonly note: string
}

/**
 * What a pass decided. The actions are carried out in order; the first that fails ends the pass, or its branch of it. The pass is tried again
 * later.
 */
export interface Plan {
  readonly actions: readonly Action[]
  /** When to look again, in milliseconds from now, though nothing may have changed. */
  readonly requeueAfter?: number
  /** Look again soon, and later each time in a row: for what no watch will tell and nobody knows the time of. */
  readonly requeue?: boolean
  /** When to look again after a conflict, in milliseconds; soon, and later each time in a row, unless told. */
  readonly afterConflict?: number
  /** What it waits for: for people who ask why nothing happens. */
  readonly waitingFor?: string
}
