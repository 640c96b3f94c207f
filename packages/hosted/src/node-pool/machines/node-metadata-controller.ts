import { HostedCluster } from '@windlass/api'
import type { Node } from '@windlass/api'
import { changed, done, plan, refOf, requeueAfter, watching } from '@windlass/kube'
import type { AsyncControllerDefinition, CacheReader, Plan, ReconcileContext, Ref } from '@windlass/kube'
import { clusters, secrets } from '../../management/index.ts'
import { machines, poolRefOf, pools } from '../caches.ts'
import { type Guests, machineRefOf, nodes } from '../guests.ts'
import { isInScope, type NodePoolSettings } from '../settings.ts'
import { ClusterAnnotation, NodeAnnotation } from '../wire.ts'
import { decideNode } from './node-metadata.ts'

export interface NodeMetadataOptions {
  readonly settings: NodePoolSettings
  readonly guests: Guests
}

/** That a guest does not answer is told by nobody: it is looked at again. */
const untilNextLook = 30_000

/**
 * Brings labels and taints of pools to Nodes that have just joined. One pass looks at all Nodes of a cluster: most have what they need, and joining is
 * rare.
 */
export function nodeMetadata(options: NodeMetadataOptions): AsyncControllerDefinition<HostedCluster> {
  return {
    name: 'node-metadata',
    for: clusters,
    predicate: changed(({ metadata, status }: HostedCluster) => [
      metadata.deletionTimestamp,
      metadata.annotations?.[ClusterAnnotation.scope],
      status?.kubeconfig,
    ]),
    watches: [
      watching(
        machines,
        (machine, cache) => poolRefOf(machine).flatMap((ref) => clusterOfPool(ref, cache)),
        changed(({ metadata, status }) => [metadata.labels, metadata.annotations, status?.nodeRef]),
      ),
    ],
    reads: [pools, secrets],
    sources: [options.guests.changes(concerned)],
    maxConcurrent: 10,
    backOff: { first: 1000, longest: 60_000 },
    reconcile: (ref, context) => reconcile(ref, options, context),
  }
}

async function reconcile(ref: Ref, { guests, settings }: NodeMetadataOptions, context: ReconcileContext): Promise<Plan> {
  const { cache, signal } = context
  const cluster = cache.get(clusters, ref)
  if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) {
    guests.forget(ref)
    return done
  }
  if (settings.mode === 'Observe' || !isInScope(cluster, settings)) return done
  // Without pools there are no Nodes that anybody waits for.
  if (!cluster.status?.kubeconfig?.name || cache.byIndex(pools, 'cluster', `${ref.namespace ?? ''}/${ref.name}`).length === 0) return done
  const guest = await guests.ofCluster(ref, context)
  if (guest.is === 'failed') return requeueAfter(untilNextLook, `its guest: ${guest.problem}`)
  for (const node of guest.value.cache.list(nodes)) {
    const machine = machineRefOf(node)
    const { actions } = decideNode({ node, machine: machine === undefined ? undefined : cache.get(machines, machine) })
    for (const action of actions) await guest.value.act(action, signal)
  }
  return plan()
}

/** Nodes that have had their labels are of no interest any more. */
function concerned(node: Node, cache: CacheReader): readonly Ref[] {
  const ref = machineRefOf(node)
  if (ref === undefined || node.metadata.annotations?.[NodeAnnotation.labelsSynced] !== undefined) return []
  const machine = cache.get(machines, ref)
  return machine === undefined ? [] : poolRefOf(machine).flatMap((pool) => clusterOfPool(pool, cache))
}

function clusterOfPool(ref: Ref, cache: CacheReader): readonly Ref[] {
  const pool = cache.get(pools, ref)
  if (pool === undefined) return []
  const { namespace = '' } = refOf(pool)
  return [{ namespace, name: pool.spec.clusterName }]
}
