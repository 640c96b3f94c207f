import { Pod } from '@windlass/api'
import type { Client } from '../client/client.ts'
import { ApiError, isNotFound, isTransient } from '../client/errors.ts'
import { controllerOf } from './owners.ts'
import { refOf } from './refs.ts'

/**
 * Whether a Pod has to leave before its node is drained: not those that a node runs by itself, nor those that run on every node.
 *
 * Those that have ended have to, though nothing of them runs any more, and whoever made them: a drain is not done while one is there, not even while only a
 * finalizer holds it.
 */
export function hasToLeave(pod: Pod): boolean {
  if (pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return false
  const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  return isOver || controllerOf(pod)?.kind !== 'DaemonSet'
}

/**
 * Asks a Pod to go. `kept`: a budget says no, or two of them are in each other's way; that is no error, only a reason to come again. Only the server can
 * tell, because budgets are spent in the same transaction.
 *
 * Errors: everything else, such as a right that is missing.
 */
export async function evict(client: Client, pod: Pod, signal: AbortSignal): Promise<'going' | 'gone' | 'kept'> {
  const { name = '', namespace = '' } = pod.metadata
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  try {
    await client.createSubresource(Pod, refOf(pod), 'eviction', body, { signal })
    return 'going'
  } catch (error) {
    if (isNotFound(error)) return 'gone'
    if (error instanceof ApiError && isTransient(error)) return 'kept'
    throw error
  }
}
