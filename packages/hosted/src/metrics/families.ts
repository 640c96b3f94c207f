/** What is known of a metric before there is a series of it. */
export interface Family {
  readonly type: 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  /** Upper bounds of a histogram, in seconds. */
  readonly buckets?: readonly number[]
}

/** Whose figure it is. `_id` is `spec.clusterID`, by which other systems know the cluster. */
export const clusterLabels = ['namespace', 'name', '_id'] as const

const versions = ['previous_version', 'new_version'] as const

/** Every metric of hosted clusters, in the order in which it is written. Dashboards and alerts of HyperShift go by the first ones. */
export const families = {
  hypershift_hostedclusters: { type: 'gauge', help: 'Hosted clusters by platform.', labels: ['platform'] },
  hypershift_hostedclusters_failure_conditions: {
    type: 'gauge',
    help: 'Hosted clusters with a condition that is not as it should be.',
    labels: ['platform', 'condition'],
  },
  hypershift_cluster_identity_providers: {
    type: 'gauge',
    help: 'Identity providers of all hosted clusters, by type.',
    labels: ['identity_provider'],
  },
  hypershift_hosted_cluster_transition_seconds: {
    type: 'histogram',
    help: 'From the creation of a hosted cluster to a condition of it becoming True.',
    labels: ['condition'],
    buckets: [5, 10, 20, 30, 60, 90, 120, 180, 240, 300, 360, 480, 600],
  },
  hypershift_cluster_waiting_initial_availability_duration_seconds: {
    type: 'gauge',
    help: 'Age of a hosted cluster that has never been available.',
    labels: clusterLabels,
  },
  hypershift_cluster_initial_rolling_out_duration_seconds: {
    type: 'gauge',
    help: 'Age of a hosted cluster whose guest has never completed a version.',
    labels: clusterLabels,
  },
  hypershift_cluster_upgrading_duration_seconds: {
    type: 'gauge',
    help: 'How long the guest of a hosted cluster has been on its way to another version.',
    labels: [...clusterLabels, ...versions],
  },
  hypershift_cluster_deleting_duration_seconds: {
    type: 'gauge',
    help: 'How long a hosted cluster has been on its way out.',
    labels: clusterLabels,
  },
  hypershift_cluster_guest_cloud_resources_deleting_duration_seconds: {
    type: 'gauge',
    help: 'How long a hosted cluster on its way out has had resources in its cloud.',
    labels: clusterLabels,
  },
  hypershift_cluster_limited_support_enabled: {
    type: 'gauge',
    help: 'Whether a hosted cluster has limited support.',
    labels: clusterLabels,
  },
  hypershift_cluster_silence_alerts: { type: 'gauge', help: 'Whether alerts about a hosted cluster are silenced.', labels: clusterLabels },
  hypershift_cluster_proxy: {
    type: 'gauge',
    help: 'Whether a hosted cluster has a proxy, and what of it is set.',
    labels: [...clusterLabels, 'proxy_http', 'proxy_https', 'proxy_trusted_ca'],
  },
  hypershift_cluster_invalid_aws_creds: {
    type: 'gauge',
    help: 'Credentials of a hosted cluster in AWS: 0 valid, 1 invalid, 2 unknown.',
    labels: clusterLabels,
  },
  windlass_hosted_cluster_available: { type: 'gauge', help: 'Whether a hosted cluster is available.', labels: clusterLabels },
  windlass_hosted_control_plane_version_info: {
    type: 'gauge',
    help: 'The newest update of a control plane; its state says whether every component has got there.',
    labels: [...clusterLabels, 'version', 'state', 'desired_version'],
  },
  windlass_hosted_control_plane_upgrading_duration_seconds: {
    type: 'gauge',
    help: 'How long a control plane has been on its way to another version.',
    labels: [...clusterLabels, ...versions],
  },
  windlass_hosted_control_plane_stalled: {
    type: 'gauge',
    help: 'Whether the rollout of a control plane takes longer than it should.',
    labels: clusterLabels,
  },
  windlass_hosted_control_plane_rollout_seconds: {
    type: 'histogram',
    help: 'From the start of an update of a control plane to its completion.',
    labels: ['platform'],
    buckets: [60, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200],
  },
  windlass_control_plane_component_info: {
    type: 'gauge',
    help: 'The version of a component of a control plane, and whether it has rolled out.',
    labels: [...clusterLabels, 'component', 'version', 'rollout_complete'],
  },
} as const satisfies Readonly<Record<string, Family>>

export type FamilyName = keyof typeof families

export const familyNames: readonly FamilyName[] = Object.keys(families) as FamilyName[]

/** What stands above the series of a metric. */
export function headerOf(name: FamilyName): string {
  const { help, type } = families[name]
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}
