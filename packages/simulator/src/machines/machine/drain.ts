import type { Node } from '@windlass/api'
import { evict, hasToLeave } from '@windlass/kube'
import type { FollowedCluster } from '@windlass/kube'
import { pods } from '../caches.ts'

/** Asks all Pods of a node to go that have to, and says how many are still there. Budgets are honoured: only the server can say whether one may go. */
export async function evictPods(
  guest: FollowedCluster,
  { metadata: { name = '' } }: Node,
  isSilent: boolean,
  signal: AbortSignal,
): Promise<number> {
  const present = guest.cache.byIndex(pods, 'node', name).filter(hasToLeave)
  const staying = present.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  let gone = 0
  for (const pod of staying) if ((await evict(guest.client, pod, signal)) === 'gone') gone += 1
  // On a node that nobody reaches, Pods never end. They are not waited for.
  return (isSilent ? staying.length : present.length) - gone
}
