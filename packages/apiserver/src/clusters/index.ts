/**
 * Logical clusters: many whole Kubernetes APIs in one server, over one store and one counter.
 *
 * - `cluster.ts`: one of them: its kinds and its rights, derived from the objects below its name.
 * - `clusters.ts`: all of them. The root is at `/`; the others exist as LogicalCluster objects in it, may stand on the kinds of a
 *   template, and are loaded when somebody first asks.
 *
 * They are made and emptied by `controllers/logical-clusters.ts`.
 */
export { Cluster, crdGroup, crdResource, isEstablished } from './cluster.ts'
export type { ClusterParts } from './cluster.ts'
export { clusterKey, Clusters, logicalClusterGroup, logicalClusterResource, rootCluster } from './clusters.ts'
