import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import { parseKey } from '@windlass/kube'
import type { CacheReader } from '@windlass/kube'
import { Annotation } from '../hosted-cluster/wire.ts'
import { clusters } from './kinds.ts'

/**
 * Whether a cluster is ours where several operators share a management cluster; `scope` is undefined where there is one for all. A cluster without a
 * scope belongs to whoever has the empty one.
 */
export function isInScope({ metadata }: Pick<HostedCluster, 'metadata'>, scope: string | undefined): boolean {
  return scope === undefined || (metadata.annotations?.[Annotation.scope] ?? '') === scope
}

/** The same for a control plane, which is where its cluster is. Needs `clusters` in the cache. */
export function isControlPlaneInScope({ metadata }: HostedControlPlane, scope: string | undefined, cache: CacheReader): boolean {
  if (scope === undefined) return true
  const key = metadata.annotations?.[Annotation.cluster]
  const cluster = key === undefined ? undefined : cache.get(clusters, parseKey(key))
  return isInScope(cluster ?? { metadata: {} }, scope)
}
