/**
 * The management cluster, as the controllers of hosted clusters see it: from caches, without a request.
 *
 * - `kinds.ts`: what is kept in memory, and how it is found. `served-kinds.ts`: what not every management cluster has.
 * - `management-cluster.ts`: what else there is to know of it.
 * - `snapshot.ts`: everything, for decisions about clusters. `namespace.ts`: one namespace, for decisions about components.
 * - `component-pass.ts`: one pass over components, on top of these.
 * - `release-lookup.ts`: releases, whose images are somewhere else. `patience.ts`: how long to wait for them.
 * - `scope.ts`: which clusters are ours where several operators share them.
 */
export { clusterKinds, clusterRoleBindings, clusterRoles, clusters, componentKinds, nodePools, secrets } from './kinds.ts'
export { isOnlyConflicts, runComponents } from './component-pass.ts'
export { discoverManagementCluster, type ManagementSettings } from './management-cluster.ts'
export { factsOf, liveNamespace } from './namespace.ts'
export { patience, within } from './patience.ts'
export { lookUpRelease, type ReleaseQuestion } from './release-lookup.ts'
export { isControlPlaneInScope, isInScope } from './scope.ts'
export { discoverKinds, optionalKinds, type ServedKinds, servedKinds } from './served-kinds.ts'
export { snapshotOf } from './snapshot.ts'
