/** Annotations, labels and taints that control planes are steered by and marked with. Their names are upstream's. */
const own = <const Name extends string>(name: Name) => `hypershift.openshift.io/${name}` as const

export const Annotation = {
  /** `<namespace>/<name>` of the HostedCluster that an object was made for. */
  cluster: own('cluster'),
  restartDate: own('restart-date'),
  releaseImage: own('release-image'),
  /** Images that take the place of those of the release, as `name=image,name=image`. */
  imageOverrides: own('image-overrides'),
  debugDeployments: own('debug-deployments'),
  topology: own('topology'),
  requestServingNodes: own('request-serving-node-additional-selector'),
  disablePki: own('disable-pki-reconciliation'),
  disableIgnitionServer: own('disable-ignition-server'),
  disableMachineManagement: own('disable-machine-management'),
  disableMonitoringServices: own('disable-monitoring-services'),
  disableClusterAutoscaler: own('disable-cluster-autoscaler'),
  disableTerminationHandler: own('disable-aws-node-termination-handler'),
  disableProfiling: own('disable-profiling'),
  terminationQueue: own('aws-termination-handler-queue-url'),
  controlPlanePriority: own('control-plane-priority-class'),
  apiCriticalPriority: own('api-critical-priority-class'),
  etcdPriority: own('etcd-priority-class'),
  desiredStateHash: own('desired-state-hash'),
  configHash: 'component.hypershift.openshift.io/config-hash',
  /** The version that an operand was made for. */
  releaseVersion: 'release.openshift.io/version',
} as const

/** Before `<workload>.<container>`. */
export const requestOverridePrefix = 'resource-request-override.hypershift.openshift.io/'

export const dedicatedTopology = 'dedicated-request-serving-components'

export const Label = {
  component: own('control-plane-component'),
  managedBy: own('managed-by'),
  /** On pods: which control plane they belong to, so that they can be put together. */
  hostedControlPlane: own('hosted-control-plane'),
  requestServing: own('request-serving-component'),
  needsManagementApi: own('need-management-kas-access'),
} as const

/** Nodes that are kept for control planes, or for one of them, carry these as a label and as a taint. */
export const NodeMark = { controlPlane: own('control-plane'), cluster: own('cluster'), requestServing: Label.requestServing } as const

export const managedByUs = 'control-plane-operator'

export const PriorityClass = {
  etcd: 'hypershift-etcd',
  apiCritical: 'hypershift-api-critical',
  controlPlane: 'hypershift-control-plane',
} as const

/** The name that the pull secret of a hosted cluster has in the namespace of its control plane. */
export const pullSecret = 'pull-secret'
