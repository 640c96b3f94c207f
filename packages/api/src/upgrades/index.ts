/** `upgrade.managed.openshift.io`: upgrades of a classic cluster, one object per cluster. */
export { UpgradeConfig, upgradePhases } from './upgrade-config.ts'
