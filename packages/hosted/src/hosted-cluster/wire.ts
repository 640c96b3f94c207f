import { Annotation as ofComponents } from '../components/index.ts'

/** Annotations, labels and finalizers that hosted clusters are steered by and marked with. Their names are upstream's. */
const own = <const Name extends string>(name: Name) => `hypershift.openshift.io/${name}` as const

export const Annotation = {
  ...ofComponents,
  /** The release image that may be upgraded to though the guest says that it is not upgradeable. */
  forceUpgradeTo: own('force-upgrade-to'),
  skipReleaseImageValidation: own('skip-release-image-validation'),
  /** How long a destroyed cluster stays to be looked at, as a Go duration. */
  destroyGracePeriod: own('destroy-grace-period'),
  cleanupCloudResources: own('cleanup-cloud-resources'),
  skipNamespaceDeletion: own('skip-delete-hosted-controlplane-namespace'),
  hasBeenAvailable: own('HasBeenAvailable'),
  /** On a control plane: the restart that was asked for last, so that the same one is not asked for again. */
  previousRestartDate: own('previous-restart-date'),
  podSecurityOverride: own('pod-security-admission-label-override'),
  restoredFromBackup: own('restored-from-backup'),
  enableMetricsForwarding: own('enable-metrics-forwarding'),
  /** Whose a cluster is where several operators share a management cluster. */
  scope: own('scope'),
  allowUnsupportedKubevirt: own('allow-unsupported-kubevirt-rhcos-variants'),
} as const

/** On node pools, and on what is made for them. */
export const PoolAnnotation = {
  enableSpot: own('enable-spot'),
  nodePool: own('nodePool'),
} as const

/** Before the name of the cluster, on Secrets and ConfigMaps that a cluster refers to. */
const referencedPrefix = 'referenced-resource.hypershift.openshift.io/'

/** Marks an object that a cluster refers to, so that its changes find their way to the cluster. */
export function referencedBy(clusterName: string): string {
  return `${referencedPrefix}${clusterName}`
}

export function isReferenceMark(annotation: string): boolean {
  return annotation.startsWith(referencedPrefix)
}

/** Annotations of a cluster that its control plane has too: copied when they are there, removed when they are not. */
export const mirroredAnnotations: readonly string[] = [
  Annotation.cleanupCloudResources,
  Annotation.debugDeployments,
  Annotation.disablePki,
  Annotation.disableIgnitionServer,
  Annotation.disableMachineManagement,
  Annotation.disableProfiling,
  Annotation.controlPlanePriority,
  Annotation.apiCriticalPriority,
  Annotation.etcdPriority,
  Annotation.topology,
  Annotation.restoredFromBackup,
  // Upstream's operators are told of these by arguments; here whoever runs components has nothing but the control plane to read them from.
  Annotation.imageOverrides,
  ...['control-plane-operator-image', 'capi-manager-image'].map(own),
  ...[
    'konnectivity-agent-image',
    'konnectivity-server-image',
    'cluster-autoscaler-image',
    'ibmcloud-kms-provider-image',
    'aws-kms-provider-image',
    'portieris-image',
    'private-ingress-controller',
    'ingress-controller-load-balancer-scope',
    'ensureexists-pullsecret-reconcile',
    'certified-operators-catalog-image',
    'community-operators-catalog-image',
    'redhat-marketplace-catalog-image',
    'redhat-operators-catalog-image',
    'olm-catalogs-is-registry-overrides',
    'kube-apiserver-gogc',
    'kube-apiserver-gomemlimit',
    'kube-apiserver-verbosity-level',
    'kube-apiserver-max-requests-inflight',
    'kube-apiserver-max-mutating-requests-inflight',
    'kube-apiserver-goaway-chance',
    'kube-apiserver-service-account-token-max-expiration',
    'request-serving-node-additional-selector',
    'aws-load-balancer-subnets',
    'aws-load-balancer-target-node-labels',
    'aws-load-balancer-health-probe-mode',
    'azure-load-balancer-health-probe-mode',
    'shared-load-balancer-health-probe-path',
    'shared-load-balancer-health-probe-port',
    'management-platform',
    'aws-machine-public-ips',
    'aws-karpenter-default-instance-profile',
    'karpenter-provider-aws-image',
    'karpenter-operator-image',
    'aws-termination-handler-queue-url',
    'swift-pod-network-instance',
    'enable-metrics-forwarding',
  ].map(own),
  'oauth.hypershift.openshift.io/login-url-override',
]

/** All annotations with one of these prefixes are mirrored too. */
export const mirroredAnnotationPrefixes: readonly string[] = [
  'resource-request-override.hypershift.openshift.io/',
  'idpoverrides.hypershift.openshift.io/',
  /** Before `<platform>-image`. */
  own('capi-provider-'),
]

/** Labels of a cluster with this prefix are mirrored. */
export const mirroredLabelPrefix = 'api.openshift.com/'

export const Label = {
  /** On the namespace of a control plane. */
  hostedControlPlane: own('hosted-control-plane'),
  /** On objects without a namespace: which cluster they were made for. */
  ownerNamespace: own('owner.namespace'),
  ownerName: own('owner.name'),
  /** On Secrets that a command line made for a cluster and that may go with it. */
  deletedWithCluster: own('safe-to-delete-with-cluster'),
  madeForInfra: own('auto-created-for-infra'),
} as const

export const Finalizer = {
  /** On clusters and on control planes. */
  cluster: own('finalizer'),
  /** On the Deployments of Cluster API: they must not go before the machines. */
  component: own('component-finalizer'),
  /** On control planes, by the operator of Karpenter. */
  karpenter: own('karpenter-finalizer'),
  /** On what a control plane has in a cloud, by its operator. */
  controlPlaneOperator: own('control-plane-operator-finalizer'),
} as const
