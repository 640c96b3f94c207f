import { HostedCluster } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { annotationChanged, type CacheReader } from '@windlass/kube'
import { isInScope, NodePoolMode, type NodePoolSettings } from './settings.ts'
import { ClusterAnnotation } from './wire.ts'

/** A cluster has got into another scope, with all of its pools. */
export const scopeChanged = annotationChanged(ClusterAnnotation.scope)

/**
 * Whether we run a pool; another operator does where we only observe, and where its cluster is in another scope.
 *
 * A pool whose cluster is gone is in every scope: somebody has to take it down, and it does not matter who.
 */
export function isOurs({ metadata: { namespace = '' }, spec }: NodePool, cache: CacheReader, settings: NodePoolSettings): boolean {
  const cluster = cache.get(HostedCluster, { namespace, name: spec.clusterName })
  return settings.mode === NodePoolMode.manage && (cluster === undefined || isInScope(cluster, settings))
}
