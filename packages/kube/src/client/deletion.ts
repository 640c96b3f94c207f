import type { JsonObject, KubernetesObject, Resource } from '@windlass/api'
import type { DeleteOptions } from './client.ts'

/** In the body and not in the query: servers look at one of the two only, and preconditions do not fit in the other. */
export function deleteOptionsBody({
  dryRun = false,
  propagation,
  gracePeriodSeconds,
  preconditions,
}: DeleteOptions): JsonObject | undefined {
  const options = {
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
  }
  return Object.keys(options).length === 0 ? undefined : { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
}

/**
 * Whether the answer to a DELETE is the object, marked and waiting for its end. For one that is gone most kinds answer with a Status, but some
 * with how it was last: then nothing holds it, neither finalizers nor a grace period. (A namespace is held by finalizers in its spec and has
 * no grace period at all.)
 */
export function isStillThere(kind: Resource, answer: KubernetesObject): boolean {
  if (answer.kind !== kind.kind) return false
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = answer.metadata
  return deletionTimestamp !== undefined && (finalizers.length > 0 || deletionGracePeriodSeconds !== 0)
}
