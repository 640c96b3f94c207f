import type { KubernetesObject } from '@windlass/api'
import type { CallOptions, Client, JsonPatchOperation, Patch, WithStatus } from '../client/client.ts'
import type { StatusAction } from '../plan/action.ts'
import { equalJson, isRecord, type JsonRecord } from './equal.ts'
import { asPatch, mergePatchForValue } from './merge-patch.ts'
import { refOf } from './refs.ts'

export interface PatchStatusOptions extends CallOptions {
  /** Fails with a conflict when the object has changed since it was read. */
  readonly ifUnchanged?: boolean
}

/**
 * The patch that gives an object these fields of status, each whole: undefined removes one, those that are not mentioned stay. Undefined
 * when nothing differs.
 *
 * To a merge patch null means "remove", but there are fields that must be there and be null. A status that has a null in it makes a JSON patch.
 *
 * Condition lists are values like any other: set conditions with `setCondition`, which moves a transition time only with the status.
 */
export function statusPatch(object: KubernetesObject, status: object): Patch | undefined {
  const found: unknown = Reflect.get(object, 'status')
  const current = isRecord(found) ? found : undefined
  return hasNull(status) ? operationsFor(current, status) : mergePatchFor(current, status)
}

function mergePatchFor(current: JsonRecord | undefined, status: object): Patch | undefined {
  const patch: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(status)) {
    const change = mergePatchForValue(current?.[field], value)
    if (change !== undefined) patch[field] = change
  }
  const fields = asPatch(patch)
  return fields === undefined ? undefined : { status: fields }
}

function operationsFor(current: JsonRecord | undefined, status: object): Patch | undefined {
  const changed = Object.entries(status).filter(([field, value]) => !equalJson(current?.[field], value))
  if (changed.length === 0) return undefined
  // There is nothing yet that a field could be added to.
  if (current === undefined) return [{ op: 'add', path: '/status', value: Object.fromEntries(changed) }]
  return changed.map(([field, value]) => {
    const path = `/status/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return value === undefined ? { op: 'remove', path } : { op: 'add', path, value }
  })
}

function hasNull(value: unknown): boolean {
  if (value === null) return true
  return typeof value === 'object' && Object.values(value).some(hasNull)
}

/** Writes status, for code that needs the result at once; a plan uses `status`. The same object, and no request, when nothing differs. */
export async function patchStatus<T extends KubernetesObject>(
  client: Client,
  kind: WithStatus<T>,
  object: T,
  status: StatusAction<T>['status'],
  options: PatchStatusOptions = {},
): Promise<T> {
  const patch = statusPatch(object, status)
  if (patch === undefined) return object
  return sendStatus(client, kind, object, patch, options)
}

/** Sends what `statusPatch` made. Kinds without the subresource have their status beside the rest. */
export function sendStatus<T extends KubernetesObject>(
  client: Client,
  kind: WithStatus<T>,
  object: T,
  patch: Patch,
  { ifUnchanged = false, ...options }: PatchStatusOptions,
): Promise<T> {
  const { resourceVersion } = object.metadata
  const body = ifUnchanged && resourceVersion !== undefined ? atRevision(patch, resourceVersion) : patch
  return kind.hasStatusSubresource
    ? client.patchStatus(kind, refOf(object), body, options)
    : client.patch(kind, refOf(object), body, options)
}

/** Either kind of patch that names a resourceVersion fails with a conflict when the object has another one by now. */
function atRevision(patch: Patch, resourceVersion: string): Patch {
  return isOperations(patch)
    ? [{ op: 'add', path: '/metadata/resourceVersion', value: resourceVersion }, ...patch]
    : { ...patch, metadata: { resourceVersion } }
}

function isOperations(patch: Patch): patch is readonly JsonPatchOperation[] {
  return Array.isArray(patch)
}
