import type { Family } from '../../metrics/index.ts'

const poolLabels = ['namespace', 'name', '_id', 'cluster_name', 'platform'] as const
const clusterLabels = ['namespace', 'name', '_id', 'platform'] as const

/** Every metric of which there is a series for each pool or cluster, and those that come from the same look at them; in the order in which they are written. */
export const families = {
  hypershift_nodepools: { type: 'gauge', help: 'Node pools by platform.', labels: ['platform'] },
  hypershift_nodepools_failure_conditions: {
    type: 'gauge',
    help: 'Node pools with a condition that is not as it should be.',
    labels: ['platform', 'condition'],
  },
  hypershift_hostedcluster_nodepools: { type: 'gauge', help: 'Node pools of a hosted cluster.', labels: clusterLabels },
  hypershift_cluster_vcpus: {
    type: 'gauge',
    help: 'Virtual CPUs of all nodes of a hosted cluster; -1 when that is not known.',
    labels: clusterLabels,
  },
  hypershift_cluster_vcpus_computation_error: {
    type: 'gauge',
    help: 'Why it is not known how many virtual CPUs a hosted cluster has.',
    labels: [...clusterLabels, 'reason'],
  },
  hypershift_nodepools_initial_rolling_out_duration_seconds: {
    type: 'gauge',
    help: 'Age of pools that have no version yet.',
    labels: poolLabels,
  },
  hypershift_nodepools_size: { type: 'gauge', help: 'Nodes that are asked for.', labels: poolLabels },
  hypershift_nodepools_available_replicas: { type: 'gauge', help: 'Machines that there are.', labels: poolLabels },
  windlass_nodepool_ready_replicas: { type: 'gauge', help: 'Machines whose nodes are ready.', labels: poolLabels },
  hypershift_nodepools_deleting_duration_seconds: {
    type: 'gauge',
    help: 'How long a pool has been on its way out.',
    labels: poolLabels,
  },
  windlass_nodepool_skew_minors: {
    type: 'gauge',
    help: 'Minors that nodes are behind their control plane; negative is ahead.',
    labels: poolLabels,
  },
  windlass_nodepool_skew_unsupported: {
    type: 'gauge',
    help: 'Whether nodes have a version that they may not have beside their control plane.',
    labels: poolLabels,
  },
  windlass_nodepool_version_info: {
    type: 'gauge',
    help: 'The version of a pool, and that of the image that it asks for.',
    labels: [...poolLabels, 'version', 'target_version'],
  },
  hypershift_nodepools_transition_seconds: {
    type: 'histogram',
    help: 'From the creation of a pool to a condition of it.',
    labels: ['condition'],
    buckets: [5, 10, 20, 30, 60, 90, 120, 180, 240, 300, 360, 480, 600],
  },
} as const satisfies Readonly<Record<string, Family>>

export type FamilyName = keyof typeof families

/** What stands above the series of a metric. */
export function headerOf(name: FamilyName): string {
  const { help, type } = families[name]
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}
