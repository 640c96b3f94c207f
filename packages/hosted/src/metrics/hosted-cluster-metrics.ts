import { once } from 'node:events'
import { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@windlass/api'
import type { Clock, Duration, Instant } from '@windlass/core'
import { type CacheFollower, cached, type Exposition, type SharedCache } from '@windlass/kube'
import { clusterKeyOf, controlPlaneNamespaceOf } from '../hosted-cluster/namespace-name.ts'
import { HostedClusterBoard } from './board.ts'
import { awaited, conditionsReached, rolloutsCompleted, type Seen } from './transitions.ts'

const clusters = cached(HostedCluster, {
  keeps: ['spec.clusterID', 'spec.platform', 'spec.services', 'spec.secretEncryption', 'spec.configuration', 'status'],
})
const controlPlanes = cached(HostedControlPlane, { keeps: ['status.controlPlaneVersion'] })
const components = cached(ControlPlaneComponent, { keeps: ['status'] })

export interface HostedClusterMetricsOptions {
  readonly clock: Clock
  /** An update that takes longer has stalled; an hour unless told. */
  readonly stalledAfter?: Duration
}

/** To be given to an operator, whose caches it follows, and to its metrics. */
export type HostedClusterMetrics = CacheFollower & Exposition

/**
 * Metrics of hosted clusters, kept as their objects change.
 *
 * Of several replicas only the one that leads says anything: sums over all of them would be too large otherwise. It counts transitions from that moment on, each
 * once: what has happened before was counted by who led then.
 */
export function hostedClusterMetrics({ clock, stalledAfter }: HostedClusterMetricsOptions): HostedClusterMetrics {
  /** From the namespace of a control plane to its cluster. */
  const byNamespace = new Map<string, string>()
  let cache: SharedCache | undefined
  let leadsSince: Instant | undefined
  const board = new HostedClusterBoard({
    componentsOf: ({ cluster }) => cache?.list(components, { namespace: controlPlaneNamespaceOf(cluster) }) ?? [],
    ...(stalledAfter === undefined ? {} : { stalledAfter }),
  })

  const see = (seen: Seen): void => {
    const key = clusterKeyOf(seen.cluster)
    if (leadsSince !== undefined) count(board, board.seen(key), seen, leadsSince)
    board.see(key, seen)
  }

  return {
    name: 'hosted cluster metrics',
    needsLeadership: true,
    follow(shared) {
      cache = shared
      shared.declare(clusters)
      shared.declare(controlPlanes)
      shared.declare(components)
      shared.onChange(clusters, ({ type, object: cluster }) => {
        const key = clusterKeyOf(cluster)
        const namespace = controlPlaneNamespaceOf(cluster)
        if (type === 'deleted') {
          board.forget(key)
          if (byNamespace.get(namespace) === key) byNamespace.delete(namespace)
          return
        }
        // Of two clusters with the same namespace the second one is refused: what is in it belongs to the first.
        if (!byNamespace.has(namespace)) byNamespace.set(namespace, key)
        see({ cluster, controlPlane: shared.get(controlPlanes, { namespace, name: cluster.metadata.name ?? '' }) })
      })
      shared.onChange(controlPlanes, ({ type, object: controlPlane }) => {
        const known = board.seen(byNamespace.get(controlPlane.metadata.namespace ?? '') ?? '')
        if (known !== undefined) see({ cluster: known.cluster, controlPlane: type === 'deleted' ? undefined : controlPlane })
      })
      shared.onChange(components, ({ object: { metadata } }) => {
        const key = byNamespace.get(metadata.namespace ?? '')
        if (key !== undefined) board.componentsChanged(key)
      })
    },
    async run(signal) {
      // Times in objects have no fractions of a second.
      leadsSince = Math.floor(clock.now() / 1000) * 1000
      if (!signal.aborted) await once(signal, 'abort')
      leadsSince = undefined
    },
    pieces: () => (leadsSince === undefined ? [] : board.pieces(clock.now())),
  }
}

function count(board: HostedClusterBoard, before: Seen | undefined, after: Seen, since: Instant): void {
  for (const { condition, seconds } of conditionsReached(awaited, before?.cluster, after.cluster, since)) {
    board.transitions.observe(condition, seconds)
  }
  for (const seconds of rolloutsCompleted(before, after)) board.rollouts.observe(after.cluster.spec.platform.type, seconds)
}
