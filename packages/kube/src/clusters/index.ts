/**
 * Many clusters in one process: each has a client and caches of its own, by a kubeconfig in a Secret, and lives as long as the object that it
 * belongs to.
 *
 * - `clusters.ts`: which clusters there should be; starts and stops them. `status.ts`: how it is with each.
 * - `cluster.ts`: one of them, from connecting to it until it is stopped.
 * - `kubeconfig-secrets.ts`, `secret-readers.ts`: where kubeconfigs come from. `connect.ts`: from there to a client.
 * - `pooled-metrics.ts`: the metrics of all of them, without a label for each.
 * - `follower.ts`: the small way: a few kinds of many clusters, for a controller whose own objects are elsewhere.
 */
export type { Cluster } from './cluster.ts'
export { type ClusterSet, type ClustersOptions, createClusters } from './clusters.ts'
export { connector } from './connect.ts'
export { ClusterFollower, type ClusterFollowerOptions, type FollowedCluster, type FollowParts } from './follower.ts'
export type { KubeconfigRef } from './kubeconfig-secrets.ts'
export type { ClusterPhase, ClusterStatus } from './status.ts'
