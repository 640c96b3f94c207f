/**
 * Questions to the cluster that is upgraded.
 *
 * - `cluster-version.ts`: which version it has, had and goes to. `update.ts`: how to make it go.
 * - `nodes.ts`: what kind of node this is, whether it is cordoned, and by whom. `worker-pool.ts`: how far the workers are.
 */
export {
  clusterIdLabel,
  currentVersion,
  currentVersionLabel,
  desiredSource,
  hasCommenced,
  hasCompleted,
  isProgressing,
  isProgressingElsewhere,
  newestRun,
  precedingVersion,
  previousVersion,
} from './cluster-version.ts'
export { cordonOf, isBeingUpdated, isControlPlane, isCustomerWorker, isReady, nodeName } from './nodes.ts'
export { isOffered, type Preparation, prepareUpdate } from './update.ts'
export { type PoolProgress, poolProgress, workerPoolName } from './worker-pool.ts'
