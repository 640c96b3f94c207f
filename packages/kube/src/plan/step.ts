import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'
import type { SharedCache, WriteMark } from '../cache/cache.ts'
import type { CallOptions, Client, Patch, Ref } from '../client/client.ts'
import { isAlreadyExists, isConflict, isNotFound } from '../client/errors.ts'
import type { EventRecorder } from '../events/recorder.ts'
import { createOrPatch } from '../objects/create-or-patch.ts'
import { ensurePatch } from '../objects/ensure-patch.ts'
import { isRecord } from '../objects/equal.ts'
import { changes } from '../objects/merge-patch.ts'
import { sendStatus, statusPatch } from '../objects/patch-status.ts'
import { refOf } from '../objects/refs.ts'
import type { Action, ApplyAction, CreateAction, DeleteAction, EnsureAction, EventAction, PatchAction, StatusAction } from './action.ts'
import type { Applied } from './applied.ts'
import type { KnownObjects } from './known-objects.ts'

/** An action, held against what is known: there is nothing to do, or there is something to send. */
export type Step = Skip | Request

export interface Skip {
  /** Why nothing is sent, in words that finish "nothing was sent: …". */
  readonly skip: string
}

export interface Request {
  /** What is sent, where it is small enough to be remembered. */
  readonly patch?: Patch
  /** Marks are missing where no object was written, objects where there is none any more. */
  send(): Promise<{ readonly mark?: WriteMark; readonly object?: KubernetesObject } | Skip>
}

export interface StepContext {
  readonly client: Client
  readonly cache: SharedCache
  readonly events: EventRecorder
  readonly known: KnownObjects
  readonly applied: Applied
  readonly signal?: AbortSignal
}

/** Works out what an action comes to now. Reads from the server only what no cache can tell. */
export function stepFor(action: Action, context: StepContext): Step | Promise<Step> {
  switch (action.do) {
    case 'create':
      return stepForCreate(action, context)
    case 'ensure':
      return stepForEnsure(action, context)
    case 'apply':
      return stepForApply(action, context)
    case 'patch':
      return stepForPatch(action, context)
    case 'status':
      return stepForStatus(action, context)
    case 'delete':
      return stepForDelete(action, context)
    case 'event':
      return stepForEvent(action, context)
    default:
      return action satisfies never
  }
}

const isThere: Skip = { skip: 'it exists already' }
const looksSo: Skip = { skip: 'it looks so already' }
const isGone: Skip = { skip: 'it is gone already' }

function stepForCreate({ kind, object, mustBeNew = false }: CreateAction, context: StepContext): Step {
  const mayExist = object.metadata.name !== undefined && !mustBeNew
  if (mayExist && context.known.find(kind, refOf(object)).is === 'cached') return isThere
  return {
    send: async () => {
      try {
        return wrote(context, kind, await context.client.create(kind, object, callOptions(context)))
      } catch (error) {
        if (mayExist && isAlreadyExists(error)) return isThere
        throw error
      }
    },
  }
}

async function stepForEnsure({ kind, object, owns }: EnsureAction, context: StepContext): Promise<Step> {
  const current = await currentState(context, kind, refOf(object), (known) => ensurePatch(known, object, owns))
  const patch = current === undefined ? undefined : ensurePatch(current, object, owns)
  if (current !== undefined && patch === undefined) return looksSo
  return {
    ...(patch === undefined ? {} : { patch }),
    send: async () => {
      const result = await createOrPatch(context.client, kind, object, { current, owns, ...callOptions(context) })
      return result.did === 'nothing' ? looksSo : wrote(context, kind, result.object)
    },
  }
}

function stepForApply(action: ApplyAction, context: StepContext): Step {
  const { kind, object, force } = action
  if (!context.applied.isNeeded(action, context.known.find(kind, refOf(object)))) return looksSo
  return {
    send: async () => {
      const result = await context.client.apply(kind, object, { force, ...callOptions(context) })
      context.applied.remember(action, result)
      return wrote(context, kind, result)
    },
  }
}

function stepForPatch({ kind, ref, patch, resourceVersion }: PatchAction, context: StepContext): Step {
  const known = context.known.find(kind, ref)
  if (known.is === 'cached' && known.holds(patch) && !changes(known.object, patch)) return looksSo
  const body = resourceVersion === undefined ? patch : withResourceVersion(patch, resourceVersion)
  return { patch: body, send: async () => wrote(context, kind, await context.client.patch(kind, ref, body, callOptions(context))) }
}

async function stepForStatus({ kind, object, status, ifUnchanged }: StatusAction, context: StepContext): Promise<Step> {
  const ref = refOf(object)
  const known = context.known.find(kind, ref)
  const isNewer = !ifUnchanged && known.is === 'cached' && isSame(known.object, object)
  let patch = statusPatch(isNewer ? known.object : object, status)
  const isIncomplete = patch !== undefined && known.is === 'cached' && !known.holds(Array.isArray(patch) ? { status } : patch)
  if (isIncomplete || known.is === 'doubtful') {
    const current = await context.client.find(kind, ref, callOptions(context))
    if (current !== undefined && isSame(current, object)) patch = statusPatch(current, status)
  }
  if (patch === undefined) return looksSo
  const body = patch
  const options = { ifUnchanged, ...callOptions(context) }
  return { patch: body, send: async () => wrote(context, kind, await sendStatus(context.client, kind, object, body, options)) }
}

function stepForDelete({ kind, object, propagation, gracePeriodSeconds }: DeleteAction, context: StepContext): Step {
  const ref = refOf(object)
  const { uid } = object.metadata
  const known = context.known.find(kind, ref)
  if (known.is === 'absent' || (known.is === 'cached' && !isSame(known.object, object))) return isGone
  if (known.is === 'cached' && isEnding(known.object, gracePeriodSeconds)) return { skip: 'it is being deleted already' }
  const preconditions = uid === undefined ? {} : { preconditions: { uid } }
  const options = { propagation, ...preconditions, ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }) }
  return {
    send: async () => {
      try {
        const left = await context.client.delete(kind, ref, { ...options, ...callOptions(context) })
        if (left !== undefined) return wrote(context, kind, left)
        return uid === undefined ? {} : { mark: context.cache.deleted(kind, ref, uid) }
      } catch (error) {
        // A conflict: another object has the name by now.
        if (isNotFound(error) || isConflict(error)) return isGone
        throw error
      }
    },
  }
}

/** Whether it will be gone as soon as somebody wants it to be. */
function isEnding({ metadata }: KubernetesObject, withinSeconds = Number.POSITIVE_INFINITY): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) <= withinSeconds
}

function stepForEvent({ regarding, type, word, note }: EventAction, { events }: StepContext): Step {
  return {
    send: () => {
      events.record({ regarding, type, reason: word, note })
      return Promise.resolve({})
    },
  }
}

/** The object as it is, from the cache unless `patchFor` finds a difference in something that the cache does not keep. */
function currentState(
  { client, known, signal }: StepContext,
  kind: Resource,
  ref: Ref,
  patchFor: (object: KubernetesObject) => JsonObject | undefined,
): KubernetesObject | undefined | Promise<KubernetesObject | undefined> {
  const found = known.find(kind, ref)
  if (found.is === 'absent') return undefined
  const patch = found.is === 'cached' ? patchFor(found.object) : undefined
  if (found.is === 'cached' && (patch === undefined || found.holds(patch))) return found.object
  return client.find(kind, ref, callOptions({ signal }))
}

function isSame(a: KubernetesObject, b: KubernetesObject): boolean {
  return a.metadata.uid === b.metadata.uid
}

function withResourceVersion(patch: JsonObject, resourceVersion: string): JsonObject {
  const { metadata } = patch
  return { ...patch, metadata: { ...(isRecord(metadata) ? metadata : {}), resourceVersion } }
}

function wrote(
  context: StepContext,
  kind: Resource,
  object: KubernetesObject,
): { readonly mark: WriteMark; readonly object: KubernetesObject } {
  return { mark: context.cache.wrote(kind, object), object }
}

/** Answers go into the cache, which keeps no managedFields. */
function callOptions({ signal }: { readonly signal?: AbortSignal | undefined }): CallOptions {
  return { omitsManagedFields: true, ...(signal === undefined ? {} : { signal }) }
}
