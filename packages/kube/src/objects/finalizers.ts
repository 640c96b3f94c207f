import type { KubernetesObject, Resource } from '@windlass/api'
import type { PatchAction } from '../plan/action.ts'
import { refOf } from './refs.ts'

/**
 * Keeps an object from going before we have cleaned up after it. Undefined when it has the finalizer, or is on its way out: the server takes
 * no new ones then.
 */
export function ensureFinalizer<T extends KubernetesObject>(kind: Resource<T>, object: T, finalizer: string): PatchAction<T> | undefined {
  const { finalizers = [], deletionTimestamp } = object.metadata
  if (finalizers.includes(finalizer) || deletionTimestamp !== undefined) return undefined
  return patchFinalizers(kind, object, [...finalizers, finalizer], 'it must not go before it is cleaned up after')
}

/** Lets an object go, as far as we are concerned. Undefined when it does not have the finalizer. */
export function withoutFinalizer<T extends KubernetesObject>(kind: Resource<T>, object: T, finalizer: string): PatchAction<T> | undefined {
  const { finalizers = [] } = object.metadata
  if (!finalizers.includes(finalizer)) return undefined
  const others = finalizers.filter((each) => each !== finalizer)
  return patchFinalizers(kind, object, others, 'it is cleaned up after')
}

/** The list is replaced whole, so it must be the list we have seen: otherwise we might drop what somebody else has added. */
function patchFinalizers<T extends KubernetesObject>(
  kind: Resource<T>,
  object: T,
  finalizers: readonly string[],
  reason: string,
): PatchAction<T> {
  const { resourceVersion } = object.metadata
  return { do: 'patch', kind, ref: refOf(object), patch: { metadata: { finalizers } }, resourceVersion, reason }
}
