/** Annotations, labels and names that node pools and their objects carry. Upstream's, but for those under `windlass.dev`. */
const own = <const Name extends string>(name: Name) => `hypershift.openshift.io/${name}` as const
const capi = <const Name extends string>(name: Name) => `cluster.x-k8s.io/${name}` as const
const ours = <const Name extends string>(name: Name) => `windlass.dev/${name}` as const

export const finalizer = own('finalizer')

/** On NodePools. */
export const PoolAnnotation = {
  /** The last completed H0: the hash without the version. */
  currentConfig: own('nodePoolCurrentConfig'),
  /** The last completed H. On the MachineSet of an InPlace pool too. */
  currentConfigVersion: own('nodePoolCurrentConfigVersion'),
  /** The name of the last template that was rolled out everywhere. */
  machineTemplate: own('nodePoolPlatformMachineTemplate'),
  canonicalImages: own('canonical-data-plane-images'),
  haproxyImage: own('haproxy-image'),
  enableSpot: own('enable-spot'),
  metadataTokens: own('ec2-instance-metadata-http-tokens'),
  healthCheckTimeout: own('machine-health-check-timeout'),
  nodeStartupTimeout: own('machine-health-check-node-startup-timeout'),
  maxUnhealthy: own('machine-health-check-max-unhealthy'),
  /** What we made the configuration from, as a fingerprint; a pool without it was somebody else's. */
  configDigest: ours('config-digest'),
  adoptedHash: ours('adopted-hash'),
  adoptedConfig: ours('adopted-config'),
  /** The template that its machines were made from when it was adopted, and what the pool said of its machines then, as a fingerprint. */
  adoptedTemplate: ours('adopted-template'),
  adoptedPlatform: ours('adopted-platform'),
  /** On KubeVirt: machines are spread over hosts by constraints, not by affinity as those of old pools are. */
  topologySpread: own('nodepool-supports-kubevirt-topology-spread-constraints'),
  virtualMachinePatch: own('kubevirt-vm-jsonpatch'),
} as const

/** On HostedClusters. */
export const ClusterAnnotation = {
  skipReleaseImageValidation: own('skip-release-image-validation'),
  restoredFromBackup: own('restored-from-backup'),
  scope: own('scope'),
  publicMachines: own('aws-machine-public-ips'),
  virtualMachinePatch: own('kubevirt-vm-jsonpatch'),
} as const

/** On Secrets, machines and what they are made from. */
export const Annotation = {
  /** `<namespace>/<name>` of the pool that an object belongs to. */
  nodePool: own('nodePool'),
  targetConfigVersion: own('nodePoolTargetConfigVersion'),
  upgradeInProgress: own('nodePoolUpgradeInProgressTrue'),
  upgradeFailed: own('nodePoolUpgradeInProgressFalse'),
  maxUnavailable: own('nodePoolMaxUnavailable'),
  taints: own('nodePoolTaints'),
  releaseVersion: own('release-version'),
  ignitionConfig: own('ignition-config'),
  ignitionReached: own('ignition-reached'),
  upgradeType: own('node-pool-upgrade-type'),
  tokenGenerated: own('last-token-generation-time'),
  tokenExpires: own('ignition-token-expiration-timestamp'),
  paused: capi('paused'),
  autoscalerMin: capi('cluster-api-autoscaler-node-group-min-size'),
  autoscalerMax: capi('cluster-api-autoscaler-node-group-max-size'),
} as const

/** On Nodes of the guest. */
export const NodeAnnotation = {
  machine: capi('machine'),
  clusterNamespace: capi('cluster-namespace'),
  labelsSynced: own('labelsSynced'),
  currentConfig: 'machineconfiguration.openshift.io/currentConfig',
  desiredConfig: 'machineconfiguration.openshift.io/desiredConfig',
  state: 'machineconfiguration.openshift.io/state',
  reason: 'machineconfiguration.openshift.io/reason',
  desiredDrain: 'machineconfiguration.openshift.io/desiredDrain',
  lastAppliedDrain: 'machineconfiguration.openshift.io/lastAppliedDrain',
} as const

export const Label = {
  clusterName: capi('cluster-name'),
  /** On Nodes and on ConfigMaps for tuning: the bare name of the pool. */
  nodePool: own('nodePool'),
  coreConfig: own('core-ignition-config'),
  tuningOutput: own('nto-generated-machine-config'),
  tuned: own('tuned-config'),
  performanceProfile: own('performanceprofile-config'),
  profileStatus: own('nto-generated-performance-profile-status'),
  kubeletConfig: own('kubeletconfig-config'),
  containerRuntimeConfig: own('containerruntimeconfig-config'),
  mirrored: own('mirrored-config'),
  interruptible: own('interruptible-instance'),
  managedByKarpenter: own('managed-by-karpenter'),
  globalPullSecret: own('nodepool-globalps-enabled'),
  /** On virtual machines: the bare name of the pool. */
  nodePoolName: own('nodepool-name'),
  infraID: own('infra-id'),
  /** On the disks of virtual machines. */
  rootDisk: own('is-kubevirt-rhcos'),
} as const

/** Before the label of a node, on its Machine. */
export const managedLabelPrefix = 'managed.hypershift.openshift.io.'

/** The Secret with the authority that nodes trust when they ask for their first configuration. */
export const ignitionCASecret = 'ignition-server-ca-cert'

/** Among the core ConfigMaps of control planes whose operator still makes the configuration for the API proxy itself. */
export const apiProxyConfigMap = 'ignition-config-apiserver-haproxy'

/** ConfigMaps in the namespace of a control plane that its cloud is configured with, by platform. */
export const cloudConfigs: Readonly<Record<string, string>> = { Azure: 'azure-cloud-config', OpenStack: 'openstack-cloud-config' }
