import type { HealthReason, Phase } from '@windlass/upgrades'

/** What a rule makes of series: fires at these minutes with these labels, and at none of the others that are asked about. */
export interface AlertCase {
  readonly alert: string
  readonly when: string
  /** A value for each minute, in promtool's notation. */
  readonly series: Readonly<Record<string, string>>
  readonly fires: readonly number[]
  readonly silentAt: readonly number[]
  readonly labels: Readonly<Record<string, string>>
}

const prod = { namespace: 'clusters', name: 'prod', _id: 'a1' }
const cluster = 'namespace="clusters",name="prod",_id="a1",pod="windlass-hosted-1"'
const pool = 'namespace="clusters",name="workers",cluster_name="prod",platform="AWS",_id="a1",pod="windlass-hosted-1"'
const workers = { namespace: 'clusters', name: 'workers', cluster_name: 'prod' }
/** `version` is the one that the cluster has, not the one that it goes to. */
const healthCheck = (state: Phase, reason: HealthReason): string =>
  `upgradeoperator_healthcheck_failed{upgradeconfig_name="u",state="${state}",version="4.19.12",reason="${reason}"}`
const phases = 'openshift_update_experience_central_node_state_nodes_by_phase'

export const cases: readonly AlertCase[] = [
  {
    alert: 'ControlPlaneRolloutStalled',
    when: 'a rollout has stalled for ten minutes, until it goes on',
    series: { [`windlass_hosted_control_plane_stalled{${cluster}}`]: '0x4 1x20 0x10' },
    fires: [16, 24],
    silentAt: [4, 14, 26],
    labels: prod,
  },
  {
    alert: 'ControlPlaneRolloutStalled',
    when: 'another replica begins to lead in between: it is the same cluster',
    series: {
      [`windlass_hosted_control_plane_stalled{${cluster}}`]: '1x5 stale',
      [`windlass_hosted_control_plane_stalled{${cluster.replace('-1', '-2')}}`]: '_x5 1x20',
    },
    fires: [11],
    silentAt: [9],
    labels: prod,
  },
  {
    alert: 'ControlPlaneRolloutStalled',
    when: 'never, when somebody has silenced the cluster',
    series: {
      [`windlass_hosted_control_plane_stalled{${cluster}}`]: '1x30',
      [`hypershift_cluster_silence_alerts{${cluster}}`]: '1x30',
    },
    fires: [],
    silentAt: [15, 30],
    labels: prod,
  },
  {
    alert: 'HostedClusterNotAvailable',
    when: 'a cluster that was available has not been for five minutes',
    series: {
      [`windlass_hosted_cluster_available{${cluster}}`]: '1x4 0x10 1x5',
      [`hypershift_cluster_silence_alerts{${cluster}}`]: '0x20',
    },
    fires: [11, 14],
    silentAt: [4, 9, 17],
    labels: prod,
  },
  {
    alert: 'HostedClusterNotAvailable',
    when: 'never, while it is installed or deleted',
    series: {
      [`windlass_hosted_cluster_available{${cluster}}`]: '0x40',
      [`hypershift_cluster_waiting_initial_availability_duration_seconds{${cluster}}`]: '0+60x20 _x20',
      [`hypershift_cluster_deleting_duration_seconds{${cluster}}`]: '_x20 0+60x20',
    },
    fires: [],
    silentAt: [10, 20, 35],
    labels: prod,
  },
  {
    alert: 'HostedClusterInstallSlow',
    when: 'a cluster that was asked for an hour and five minutes ago has never been available',
    series: { [`hypershift_cluster_waiting_initial_availability_duration_seconds{${cluster}}`]: '0+60x75 stale' },
    fires: [67, 75],
    silentAt: [60, 64, 80],
    labels: prod,
  },
  {
    alert: 'HostedClusterDeletionSlow',
    when: 'a cluster was deleted an hour and five minutes ago and is still there',
    series: { [`hypershift_cluster_deleting_duration_seconds{${cluster}}`]: '0+60x75 stale' },
    fires: [67],
    silentAt: [60, 64, 80],
    labels: prod,
  },
  {
    alert: 'NodePoolShortOfMachines',
    when: 'machines have been missing for half an hour',
    series: { [`hypershift_nodepools_size{${pool}}`]: '3x50', [`windlass_nodepool_ready_replicas{${pool}}`]: '2x40 3x10' },
    fires: [31, 40],
    silentAt: [29, 43],
    labels: workers,
  },
  {
    alert: 'NodePoolShortOfMachines',
    when: 'machines are all there, and none of them has become a node',
    series: {
      [`hypershift_nodepools_size{${pool}}`]: '3x50',
      [`hypershift_nodepools_available_replicas{${pool}}`]: '3x50',
      [`windlass_nodepool_ready_replicas{${pool}}`]: '0x50',
    },
    fires: [31, 50],
    silentAt: [29],
    labels: workers,
  },
  {
    alert: 'NodePoolShortOfMachines',
    when: 'never, while the pool is deleted',
    series: {
      [`hypershift_nodepools_size{${pool}}`]: '3x50',
      [`windlass_nodepool_ready_replicas{${pool}}`]: '0x50',
      [`hypershift_nodepools_deleting_duration_seconds{${pool}}`]: '0+60x50',
    },
    fires: [],
    silentAt: [31, 50],
    labels: workers,
  },
  {
    alert: 'NodePoolShortOfMachines',
    when: 'never, when somebody has silenced its cluster',
    series: {
      [`hypershift_nodepools_size{${pool}}`]: '3x50',
      [`windlass_nodepool_ready_replicas{${pool}}`]: '0x50',
      [`hypershift_cluster_silence_alerts{${cluster}}`]: '1x50',
    },
    fires: [],
    silentAt: [31, 50],
    labels: workers,
  },
  {
    alert: 'NodePoolSkewUnsupported',
    when: 'nodes have had a version that they may not have for a quarter of an hour, however few minors that is',
    series: {
      [`windlass_nodepool_skew_unsupported{${pool}}`]: '0x10 1x30 0x10',
      [`windlass_nodepool_skew_minors{${pool}}`]: '2x50',
      [`hypershift_cluster_silence_alerts{${cluster}}`]: '0x50',
    },
    fires: [28, 40],
    silentAt: [10, 24, 43],
    labels: workers,
  },
  {
    alert: 'NodePoolSkewUnsupported',
    when: 'never, when somebody has silenced its cluster; that another one is silenced means nothing',
    series: {
      [`windlass_nodepool_skew_unsupported{${pool}}`]: '1x60',
      [`hypershift_cluster_silence_alerts{${cluster}}`]: '1x30 0x30',
      [`hypershift_cluster_silence_alerts{${cluster.replace('prod', 'stage')}}`]: '1x60',
    },
    fires: [48],
    silentAt: [16, 30],
    labels: workers,
  },
  {
    alert: 'NodePoolDeletionSlow',
    when: 'a pool was deleted an hour and five minutes ago and is still there',
    series: { [`hypershift_nodepools_deleting_duration_seconds{${pool}}`]: '0+60x75 stale' },
    fires: [67],
    silentAt: [60, 80],
    labels: workers,
  },
  {
    alert: 'NodePoolDeletionSlow',
    when: 'never, when somebody has silenced its cluster',
    series: {
      [`hypershift_nodepools_deleting_duration_seconds{${pool}}`]: '0+60x75',
      [`hypershift_cluster_silence_alerts{${cluster}}`]: '1x75',
    },
    fires: [],
    silentAt: [67, 75],
    labels: workers,
  },
  {
    alert: 'WindlassHostedOperatorDown',
    when: 'nobody has led for ten minutes',
    series: {
      'leader_election_master_status{name="windlass-hosted",pod="a"}': '1x10 0x30',
      'leader_election_master_status{name="windlass-hosted",pod="b"}': '0x30 1x10',
    },
    fires: [22, 30],
    silentAt: [10, 19, 33],
    labels: {},
  },
  {
    alert: 'WindlassVersionsOperatorDown',
    when: 'nobody has led for ten minutes, whoever else leads something else',
    series: {
      'leader_election_master_status{name="windlass-versions"}': '1x10 0x20 1x10',
      'leader_election_master_status{name="windlass-hosted"}': '1x40',
    },
    fires: [22, 30],
    silentAt: [10, 20, 33],
    labels: {},
  },
  {
    alert: 'WindlassControllerFailing',
    when: 'most passes have failed for half an hour',
    series: {
      'controller_runtime_reconcile_total{controller="node-pool",result="success"}': '0+1x100',
      'controller_runtime_reconcile_total{controller="node-pool",result="error"}': '0+3x60 180+0x40',
      'controller_runtime_reconcile_errors_total{controller="node-pool"}': '0+3x60 180+0x40',
      'controller_runtime_reconcile_total{controller="somebody-else",result="error"}': '0+3x100',
      'controller_runtime_reconcile_errors_total{controller="somebody-else"}': '0+3x100',
    },
    fires: [40],
    silentAt: [25, 80],
    labels: { controller: 'node-pool' },
  },
  {
    alert: 'NodeUpdateStuck',
    when: 'a node has been drained for an hour and no other was done, until one is',
    series: { [`${phases}{phase="Draining"}`]: '0x10 1x150', [`${phases}{phase="Completed"}`]: '0x10 1x5 2x100 3x40' },
    fires: [86, 115],
    silentAt: [60, 76, 120, 150],
    labels: {},
  },
  {
    alert: 'NodeUpdateStuck',
    when: 'never, when an update takes hours and a node is done every half an hour',
    series: { [`${phases}{phase="Updating"}`]: '1x240', [`${phases}{phase="Completed"}`]: '0x30 1x30 2x30 3x30 4x30 5x30 6x30 7x30' },
    fires: [],
    silentAt: [70, 100, 130, 200, 240],
    labels: {},
  },
  {
    alert: 'WindlassInsightsOperatorDown',
    when: 'there is nobody to be asked for ten minutes',
    series: { 'leader_election_master_status{name="windlass-insights"}': '1x10 stale _x19 1x10' },
    fires: [22, 30],
    silentAt: [10, 20, 34],
    labels: {},
  },
  {
    alert: 'UpgradeConfigValidationFailedSRE',
    when: 'an UpgradeConfig has been invalid for two hours',
    series: { 'upgradeoperator_upgradeconfig_validation_failed{upgradeconfig_name="u"}': '1x130 0x5' },
    fires: [121],
    silentAt: [119, 133],
    labels: { upgradeconfig_name: 'u' },
  },
  {
    alert: 'UpgradeClusterCheckFailedSRE',
    when: 'what holds an upgrade up has failed for ten minutes',
    series: { [healthCheck('Upgrading', 'critical_alerts_firing')]: '1x20 0x5' },
    fires: [11],
    silentAt: [9, 23],
    labels: { upgradeconfig_name: 'u', state: 'Upgrading', version: '4.19.12', reason: 'critical_alerts_firing' },
  },
  {
    alert: 'UpgradeClusterCheckFailedSRE',
    when: 'never for what a customer may mend and no upgrade waits for, nor for what was found long before it was to begin',
    series: {
      [healthCheck('Upgrading', 'cluster_invalid_pdb_configuration')]: '1x60',
      [healthCheck('Upgrading', 'cluster_node_manually_cordoned')]: '1x60',
      [healthCheck('New', 'critical_alerts_firing')]: '1x60',
    },
    fires: [],
    silentAt: [11, 60],
    labels: {},
  },
  {
    alert: 'UpgradeControlPlaneUpgradeTimeoutSRE',
    when: 'the control plane has been late for ten minutes, until it is there',
    series: { 'upgradeoperator_controlplane_timeout{upgradeconfig_name="u",version="4.20.3"}': '0x5 1x15 0x5' },
    fires: [16, 20],
    silentAt: [4, 14, 22],
    labels: { upgradeconfig_name: 'u', version: '4.20.3' },
  },
  {
    alert: 'UpgradeNodeUpgradeTimeoutSRE',
    when: 'workers have been late for ten minutes, until they are there',
    series: { 'upgradeoperator_worker_timeout{upgradeconfig_name="u",version="4.20.3"}': '0x5 1x15 0x5' },
    fires: [16, 20],
    silentAt: [4, 14, 22],
    labels: { upgradeconfig_name: 'u', version: '4.20.3' },
  },
  {
    alert: 'UpgradeNodeDrainFailedSRE',
    when: 'a node could not be drained, until it is',
    series: { 'upgradeoperator_node_drain_timeout{node_name="worker-1"}': '_x5 1x15 0x5' },
    fires: [7, 20],
    silentAt: [4, 22],
    labels: { node_name: 'worker-1' },
  },
  {
    alert: 'UpgradeConfigSyncFailureOver4HrSRE',
    when: 'the provider has not been asked with success for four hours and ten minutes',
    series: { 'upgradeoperator_upgradeconfig_sync_timestamp{upgradeconfig_name="u"}': '60x260 15000x10' },
    fires: [253],
    silentAt: [240, 249, 265],
    labels: { upgradeconfig_name: 'u' },
  },
  {
    alert: 'UpgradeConfigSyncFailureOver4HrSRE',
    when: 'the operator came back four hours ago and has never been answered since',
    series: { 'upgradeoperator_upgradeconfig_sync_timestamp{upgradeconfig_name="u"}': '0+60x10 stale _x300 18720x10' },
    fires: [262, 300],
    silentAt: [200, 249, 318],
    labels: {},
  },
  {
    alert: 'UpgradeNotificationFailedSRE',
    when: 'a notice could not be sent for half an hour, until it is',
    series: { 'upgrade_notification_failed{upgradeconfig_name="u",event="StateStarted"}': '1x40 0x5' },
    fires: [31, 40],
    silentAt: [29, 43],
    labels: { upgradeconfig_name: 'u', event: 'StateStarted' },
  },
  {
    alert: 'ManagedUpgradeOperatorDown',
    when: 'nobody has led for ten minutes',
    series: { 'leader_election_master_status{name="managed-upgrade-operator-lock"}': '0x30 1x10' },
    fires: [11, 30],
    silentAt: [9, 33],
    labels: {},
  },
]
