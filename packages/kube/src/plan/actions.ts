import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'
import type { Applied, Draft, Ref, WithStatus } from '../client/client.ts'
import { refOf } from '../objects/refs.ts'
import type {
  Action,
  ApplyAction,
  CreateAction,
  DeleteAction,
  EnsureAction,
  EventAction,
  PatchAction,
  Plan,
  StatusAction,
} from './action.ts'

/**
 * Creates an object that is not there.
 *
 * Caveat: with `generateName` there is nothing to recognize it by, so each pass that says so creates another one.
 */
export function create<T extends KubernetesObject>(
  kind: Resource<T>,
  object: Draft<T>,
  reason: string,
  { mustBeNew = false }: { readonly mustBeNew?: boolean } = {},
): CreateAction<T> {
  return { do: 'create', kind, object, reason, ...(mustBeNew ? { mustBeNew } : {}) }
}

/**
 * Makes an object look like this.
 *
 * Caveats: a field that the server stores otherwise than it was sent (`stringData` of a Secret) differs for ever; say what the server says. The draft
 * must have a name.
 */
export function ensure<T extends KubernetesObject>(
  kind: Resource<T>,
  object: Draft<T>,
  reason: string,
  { owns = [] }: { readonly owns?: readonly string[] } = {},
): EnsureAction<T> {
  return { do: 'ensure', kind, object, owns, reason }
}

/** Owns these fields of an object, and no others. */
export function apply<T extends KubernetesObject>(
  kind: Resource<T>,
  object: Applied<T>,
  reason: string,
  { force = false }: { readonly force?: boolean } = {},
): ApplyAction<T> {
  return { do: 'apply', kind, object, force, reason }
}

/** With `ifStill` it fails with a conflict when that object has changed since it was observed. */
export function patch<T extends KubernetesObject>(
  kind: Resource<T>,
  ref: Ref,
  patch: JsonObject,
  reason: string,
  { ifStill }: { readonly ifStill?: T } = {},
): PatchAction<T> {
  return { do: 'patch', kind, ref, patch, resourceVersion: ifStill?.metadata.resourceVersion, reason }
}

/** Sets fields of the status of an object that was observed. Kinds that have no status do not compile. */
export function status<T extends KubernetesObject>(
  kind: WithStatus<T>,
  object: T,
  status: StatusAction<T>['status'],
  reason: string,
  { ifUnchanged = false }: { readonly ifUnchanged?: boolean } = {},
): StatusAction<T> {
  return { do: 'status', kind, object, status, ifUnchanged, reason }
}

/** Deletes an object that was observed. What it owns goes with it in the background unless told. */
export function remove<T extends KubernetesObject>(
  kind: Resource<T>,
  object: T,
  reason: string,
  { propagation = 'Background', gracePeriodSeconds }: Partial<Pick<DeleteAction, 'propagation' | 'gracePeriodSeconds'>> = {},
): DeleteAction<T> {
  return { do: 'delete', kind, object, propagation, reason, ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }) }
}

/** Tells people about an object: `event(pool, 'Warning', 'DrainBlocked', 'node a: a budget allows no disruption', 'the drain is stuck')`. */
export function event(regarding: KubernetesObject, type: EventAction['type'], word: string, note: string, reason = note): EventAction {
  return { do: 'event', regarding, type, word, note, reason }
}

/** Actions that are carried out though those of other branches fail, and that hold up no other branch when they fail themselves. */
export function branch(name: string, ...actions: readonly Action[]): Plan {
  return { actions: actions.map((action) => ({ ...action, branch: name })) }
}

/** Looks again so many milliseconds after a conflict, instead of soon and later each time in a row. */
export function afterConflict(milliseconds: number): Plan {
  return { actions: [], afterConflict: milliseconds }
}

/** Nothing to do, nothing to wait for. */
export const done: Plan = { actions: [] }

/**
 * Puts a plan together from actions and other plans, in order; what is undefined is left out. It looks again at the earliest time that any part
 * asks for, and waits for what all of them wait for.
 */
export function plan(...parts: readonly (Action | Plan | undefined)[]): Plan {
  const actions: Action[] = []
  const waits: string[] = []
  let requeueAfter = Number.POSITIVE_INFINITY
  let afterConflict = Number.POSITIVE_INFINITY
  let requeue = false
  for (const part of parts) {
    if (part === undefined) continue
    if ('do' in part) {
      actions.push(part)
      continue
    }
    actions.push(...part.actions)
    requeueAfter = Math.min(requeueAfter, part.requeueAfter ?? Number.POSITIVE_INFINITY)
    afterConflict = Math.min(afterConflict, part.afterConflict ?? Number.POSITIVE_INFINITY)
    requeue ||= part.requeue === true
    if (part.waitingFor !== undefined) waits.push(part.waitingFor)
  }
  return {
    actions,
    ...(requeueAfter === Number.POSITIVE_INFINITY ? {} : { requeueAfter }),
    ...(requeue ? { requeue } : {}),
    ...(afterConflict === Number.POSITIVE_INFINITY ? {} : { afterConflict }),
    ...(waits.length === 0 ? {} : { waitingFor: waits.join('; ') }),
  }
}

/** Looks again after so many milliseconds, whatever happens until then. Never, if they are infinite. */
export function requeueAfter(milliseconds: number, waitingFor?: string): Plan {
  if (Number.isNaN(milliseconds))
    throw new RangeError('requeueAfter needs milliseconds and got NaN: is there a time that could not be read?')
  const again = milliseconds === Number.POSITIVE_INFINITY ? {} : { requeueAfter: milliseconds }
  return { actions: [], ...again, ...(waitingFor === undefined ? {} : { waitingFor }) }
}

/** Looks again soon, and later each time in a row: for what no watch will tell and nobody knows the time of. */
export function requeue(waitingFor: string): Plan {
  return { actions: [], requeue: true, waitingFor }
}

/** Waits for a change that a watch will tell. */
export function wait(waitingFor: string): Plan {
  return { actions: [], waitingFor }
}

/** The object that an action is about; undefined for an event, or when the server is to name it. */
export function subjectOf(action: Action): { readonly kind: Resource; readonly ref: Ref } | undefined {
  if (action.do === 'event') return undefined
  if (action.do === 'patch') return { kind: action.kind, ref: action.ref }
  return action.object.metadata.name === undefined ? undefined : { kind: action.kind, ref: refOf(action.object) }
}
