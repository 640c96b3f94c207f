import { type Node, Pod } from '@windlass/api'
import { ApiError, controllerOf, isNotFound, refOf } from '@windlass/kube'
import type { FollowedCluster } from '@windlass/kube'
import { pods } from '../caches.ts'

/** Asks all Pods of a node to go that have to, and says how many are still there. Budgets are honoured: only the server can say whether one may go. */
export async function evictPods(
  guest: FollowedCluster,
  { metadata: { name = '' } }: Node,
  isSilent: boolean,
  signal: AbortSignal,
): Promise<number> {
  const present = guest.cache.byIndex(pods, 'node', name).filter(isInTheWay)
  const staying = present.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  let gone = 0
  for (const pod of staying) if ((await evict(pod, guest, signal)) === 'gone') gone += 1
  // On a node that nobody reaches, Pods never end. They are not waited for.
  return (isSilent ? staying.length : present.length) - gone
}

/** Not those that are on every node, nor those that a node runs by itself. */
function isInTheWay(pod: Pod): boolean {
  const isOver = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  return !isOver && controllerOf(pod)?.kind !== 'DaemonSet' && pod.metadata.annotations?.['kubernetes.io/config.mirror'] === undefined
}

/** A budget may say no. That is no error, only a reason to come again. */
async function evict(pod: Pod, { client }: FollowedCluster, signal: AbortSignal): Promise<'gone' | 'going' | 'kept'> {
  const { name = '', namespace = '' } = pod.metadata
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  try {
    await client.createSubresource(Pod, refOf(pod), 'eviction', body, { signal })
    return 'going'
  } catch (error) {
    if (isNotFound(error)) return 'gone'
    if (error instanceof ApiError) return 'kept'
    throw error
  }
}
