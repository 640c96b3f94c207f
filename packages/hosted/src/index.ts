/**
 * Hosted clusters.
 *
 * - `controllers.ts`: everything that runs them, ready for an operator.
 * - `hosted-cluster/`: what people ask for, from creation through upgrades to deletion. `hosted-control-plane/`: what is made of it. `status-bridge/`: what
 *   the guest says.
 * - `components/`: what a control plane consists of, in which order it rolls out, and what each part says of itself.
 * - `node-pool/`: machines of hosted clusters, their configuration and upgrades.
 * - `control-plane-version/`: which versions run on the management side.
 * - `releases/`: what a release image is: from a pullspec to version, digest and component images.
 * - `metrics/`: what is counted about hosted clusters.
 * - `guests/`: where the APIs of guests come from. `management/`: the management cluster, as all of these see it.
 */
export { dependenciesAmong } from './components/index.ts'
export * from './control-plane-version/index.ts'
export { hostedControllers, type HostedControllersOptions } from './controllers.ts'
export * from './guests/index.ts'
export { expectedConditions } from './metrics/healthy.ts'
export { controlPlaneNamespaceOf, isUnreported, type ManagementCluster } from './hosted-cluster/index.ts'
export * from './metrics/index.ts'
export {
  discoverKinds,
  discoverManagementCluster,
  lookUpRelease,
  type ManagementSettings,
  optionalKinds,
  type ServedKinds,
  servedKinds,
} from './management/index.ts'
export {
  checkNewPool,
  defaultSettings,
  defaultUpgradeType,
  discoverTemplateKinds,
  healthyConditions,
  ignitionServer,
  type IgnitionServer,
  type IgnitionServerOptions,
  IgnitionService,
  judgePool,
  mergedPayload,
  nodePoolControllers,
  type NodePoolMetrics,
  nodePoolFamilies,
  nodePoolMetrics,
  type NodePoolControllersOptions,
  type NodePoolSettings,
  type PayloadGenerator,
  planControlPlaneMove,
  plannedFor,
  type PoolSkew,
  poolVersions,
  releaseForNewPool,
  skewWindows,
  wantedBy,
} from './node-pool/index.ts'
export * from './releases/index.ts'
