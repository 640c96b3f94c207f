import type { CacheReader } from '@windlass/kube'
import { nodes } from './caches.ts'
import type { Settings } from './settings.ts'

/**
 * Where new Pods run if that need not be decided: while a cluster has no Nodes, all of them are born on the virtual one, which saves a write for each.
 * Undefined when the scheduler has to choose.
 */
export function birthplace(cache: CacheReader, { node }: Settings): string | undefined {
  return cache.list(nodes).length === 0 ? node : undefined
}
