/** Names that are fixed: whatever replaces, watches or alerts on the operator goes by them. */
export const operatorName = 'managed-upgrade-operator'
export const defaultNamespace = 'openshift-managed-upgrade-operator'

/** The only UpgradeConfig that is acted on. */
export const upgradeConfigName = 'managed-upgrade-config'

/** Annotations that we add to an UpgradeConfig. Nothing requires them to be there. */
export const Annotation = {
  /** Which notifications have been sent: a comma list of `<version>/<state>`. */
  sentNotifications: 'upgrade.managed.openshift.io/sent-notifications',
  /** Which policy of OCM it came from. */
  policyId: 'upgrade.managed.openshift.io/ocm-policy-id',
  /** Notifications whose occasion is past and that are still to be sent, in the form of those that have been. */
  owedNotifications: 'windlass.dev/owed-notifications',
  /** The version to which another operator had begun to upgrade before we took over. */
  takenOver: 'windlass.dev/taken-over',
  /** Why the last pass failed. Gone when one succeeds. */
  heldUpBy: 'windlass.dev/held-up-by',
} as const
