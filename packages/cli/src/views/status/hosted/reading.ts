import { ControlPlaneComponent, NodePool } from '@windlass/api'
import { controlPlaneNamespaceOf } from '@windlass/hosted'
import { type ClusterName, findHostedCluster } from '../../hosted-clusters.ts'
import type { Source } from '../../source.ts'
import type { HostedObjects } from './objects.ts'

/** Everything about a hosted cluster that its status is made from. */
export async function readHosted(source: Source, wanted: ClusterName): Promise<HostedObjects> {
  const cluster = await findHostedCluster(source, wanted)
  const { namespace = '', name } = cluster.metadata
  const [components, pools] = await Promise.all([
    source.list(ControlPlaneComponent, { namespace: controlPlaneNamespaceOf(cluster) }),
    source.list(NodePool, { namespace }),
  ])
  return { cluster, components, pools: pools.filter(({ spec }) => spec.clusterName === name) }
}
