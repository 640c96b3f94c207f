import type { JsonObject, KubernetesObject } from '@windlass/api'
import type { Client, WithStatus } from '../client/client.ts'
import type { StatusAction } from '../plan/action.ts'
import { isRecord } from './equal.ts'
import { asPatch, mergePatchForValue } from './merge-patch.ts'
import { refOf } from './refs.ts'

export interface PatchStatusOptions {
  /** Fails with a conflict when the object has changed since it was read. */
  readonly ifUnchanged?: boolean
  readonly signal?: AbortSignal
}

/**
 * The merge patch that gives an object these fields of status, each whole: undefined removes one, those that are not mentioned stay. Undefined
 * when nothing differs.
 *
 * Condition lists are values like any other: set conditions with `setCondition`, which moves a transition time only with the status.
 */
export function statusPatch(object: KubernetesObject, status: object): JsonObject | undefined {
  const current: unknown = Reflect.get(object, 'status')
  const patch: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(status)) {
    const change = mergePatchForValue(isRecord(current) ? current[field] : undefined, value)
    if (change !== undefined) patch[field] = change
  }
  const fields = asPatch(patch)
  return fields === undefined ? undefined : { status: fields }
}

/** Writes status, for code that needs the result at once; a plan uses `status`. The same object, and no request, when nothing differs. */
export async function patchStatus<T extends KubernetesObject>(
  client: Client,
  kind: WithStatus<T>,
  object: T,
  status: StatusAction<T>['status'],
  { ifUnchanged = false, signal }: PatchStatusOptions = {},
): Promise<T> {
  const patch = statusPatch(object, status)
  if (patch === undefined) return object
  return sendStatus(client, kind, object, patch, { ifUnchanged, ...(signal === undefined ? {} : { signal }) })
}

/** Sends what `statusPatch` made. Kinds without the subresource have their status beside the rest. */
export function sendStatus<T extends KubernetesObject>(
  client: Client,
  kind: WithStatus<T>,
  object: T,
  patch: JsonObject,
  { ifUnchanged = false, signal }: PatchStatusOptions,
): Promise<T> {
  const { resourceVersion } = object.metadata
  const body = ifUnchanged && resourceVersion !== undefined ? { ...patch, metadata: { resourceVersion } } : patch
  const options = signal === undefined ? {} : { signal }
  return kind.hasStatusSubresource
    ? client.patchStatus(kind, refOf(object), body, options)
    : client.patch(kind, refOf(object), body, options)
}
