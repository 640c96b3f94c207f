const runbooks = 'https://github.com/openshift/runbooks/blob/master/alerts'
const docs = 'https://docs.openshift.com/container-platform/latest'

/** Where it is written what to do. */
export const references = {
  operatorDegraded: `${runbooks}/cluster-monitoring-operator/ClusterOperatorDegraded.md`,
  operatorDown: `${runbooks}/cluster-monitoring-operator/ClusterOperatorDown.md`,
  updateHistory: `${docs}/updating/troubleshooting_updates/gathering-data-cluster-update.html#gathering-clusterversion-history-cli_troubleshooting_updates`,
  machineConfig: `${docs}/post_installation_configuration/machine-configuration-tasks.html#understanding-the-machine-config-operator`,
  drain: `${runbooks}/machine-config-operator/MachineConfigControllerDrainError.md`,
  pausedPool: `${docs}/support/troubleshooting/troubleshooting-operator-issues.html#troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues`,
  forced: 'https://issues.redhat.com/browse/OTA-1418',
} as const
