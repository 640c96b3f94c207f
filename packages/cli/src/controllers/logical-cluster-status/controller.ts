import { LogicalCluster, Secret } from '@windlass/api'
import { cached, type ControllerDefinition, watching } from '@windlass/kube'
import { decide, type Observed } from './decide.ts'

/** Clusters by the Secret they name, so that a change of a Secret finds them without a search. */
const clusters = cached(LogicalCluster, {
  indexes: {
    secret: ({ status }) => {
      const ref = status?.kubeconfigSecretRef
      return ref === undefined ? [] : [`${ref.namespace}/${ref.name}`]
    },
  },
})

export const logicalClusterStatus: ControllerDefinition<LogicalCluster, Observed> = {
  name: 'logical-cluster-status',
  for: clusters,
  watches: [
    watching(Secret, ({ metadata }, cache) =>
      cache.byIndex(clusters, 'secret', `${metadata.namespace}/${metadata.name}`).map((cluster) => ({ name: cluster.metadata.name ?? '' })),
    ),
  ],
  observe(ref, cache) {
    const cluster = cache.get(clusters, ref)
    if (cluster === undefined) return undefined
    const secret = cluster.status?.kubeconfigSecretRef
    return { cluster, kubeconfig: secret === undefined ? undefined : cache.get(Secret, secret) }
  },
  decide,
}
