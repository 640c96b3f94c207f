/** What is known about a gauge. */
interface Gauge {
  readonly labels: readonly string[]
  readonly help: string
  /** Dropped when an upgrade fails: what it said is about an attempt that is over. */
  readonly isDroppedOnFailure?: true
  /** Stays when the UpgradeConfig goes. */
  readonly isPersistent?: true
}

const oneUpgrade = ['upgradeconfig_name'] as const
const oneVersion = ['upgradeconfig_name', 'version'] as const
const oneCluster = ['_id', 'upgradeconfig_name', 'version'] as const

/** Every gauge of the operator, in the order of the specification. Alerts and recording rules on managed clusters go by these names. */
export const gauges = {
  upgradeoperator_upgradeconfig_validation_failed: {
    labels: oneUpgrade,
    help: 'Whether the UpgradeConfig was found invalid.',
    isDroppedOnFailure: true,
  },
  upgradeoperator_scaling_failed: { labels: oneUpgrade, help: 'Whether extra workers did not come in time.', isDroppedOnFailure: true },
  upgradeoperator_upgrade_window_breached: { labels: oneUpgrade, help: 'Whether the upgrade did not commence in its window.' },
  upgradeoperator_controlplane_timeout: {
    labels: oneVersion,
    help: 'Whether the control plane takes longer than expected.',
    isDroppedOnFailure: true,
  },
  upgradeoperator_healthcheck_failed: {
    labels: ['upgradeconfig_name', 'state', 'version', 'reason'],
    help: 'Whether a health check failed for this reason.',
    isDroppedOnFailure: true,
  },
  upgradeoperator_worker_timeout: { labels: oneVersion, help: 'Whether workers take longer than expected.', isDroppedOnFailure: true },
  upgradeoperator_node_drain_timeout: { labels: ['node_name'], help: 'Whether a node could not be drained.', isDroppedOnFailure: true },
  upgradeoperator_upgrade_notification: {
    labels: ['upgradeconfig_name', 'event', 'version'],
    help: 'Whether a notification has been sent.',
    isDroppedOnFailure: true,
  },
  /** Without the prefix of the others: that is how it is known. */
  upgrade_notification_failed: {
    labels: ['upgradeconfig_name', 'event'],
    help: 'Whether the last attempt to notify failed.',
    isDroppedOnFailure: true,
  },
  /** About the provider, not about an upgrade: most of the time there is none, and people are alerted when this one is absent. */
  upgradeoperator_upgradeconfig_sync_timestamp: {
    labels: oneUpgrade,
    help: 'When the provider was asked last with success.',
    isPersistent: true,
  },
  upgradeoperator_upgrade_started_timestamp: { labels: oneCluster, help: 'When the upgrade began.', isDroppedOnFailure: true },
  upgradeoperator_upgrade_completed_timestamp: { labels: oneCluster, help: 'When the upgrade was done.' },
  upgradeoperator_controlplane_upgrade_started_timestamp: { labels: oneCluster, help: 'When the control plane began.' },
  upgradeoperator_controlplane_upgrade_completed_timestamp: { labels: oneCluster, help: 'When the control plane was done.' },
  upgradeoperator_workernode_upgrade_started_timestamp: { labels: oneCluster, help: 'When the workers began.' },
  upgradeoperator_workernode_upgrade_completed_timestamp: { labels: oneCluster, help: 'When the workers were done.' },
  upgradeoperator_upgrade_result: {
    labels: ['upgradeconfig_name', 'preceding_version', 'stream', 'version', 'alerts'],
    help: '1 when no alert of ours fired during the upgrade, 0 when some did.',
    isPersistent: true,
  },
} as const satisfies Readonly<Record<string, Gauge>>

export type GaugeName = keyof typeof gauges
export type LabelsOf<N extends GaugeName> = { readonly [L in (typeof gauges)[N]['labels'][number]]: string }

/** Dropped, every series of them, when there is no UpgradeConfig any more. */
export const ephemeralGauges: readonly GaugeName[] = namesOf((gauge) => gauge.isPersistent !== true)

/** Dropped when the failure policy ends an attempt. `upgrade_window_breached` stays: it is what tells of the failure. */
export const failureGauges: readonly GaugeName[] = namesOf((gauge) => gauge.isDroppedOnFailure === true)

function namesOf(isWanted: (gauge: Gauge) => boolean): readonly GaugeName[] {
  // Object.entries forgets which keys there are.
  return (Object.entries(gauges) as readonly [GaugeName, Gauge][]).filter(([, gauge]) => isWanted(gauge)).map(([name]) => name)
}
