import type { ConfigMap, UpgradeConfig } from '@windlass/api'
import { formatTime, type Instant } from '@windlass/core'
import type { Draft } from '@windlass/kube'
import { configMapKey, configMapName, defaultNamespace, upgradeConfigName } from '@windlass/upgrades'
import { classicSample } from './sample.ts'

/** Where managed upgrades live in it. */
export const upgradeHome = defaultNamespace

/**
 * What the operator is told. UpgradeConfigs are written by people, and one that is done is left to them for a week of a real cluster, so that they find out how
 * it went. An upgrade may begin as late as it likes, for laptops are closed at night, and limits are wide, for they are busy.
 */
const config = `upgradeType: OSD
configManager: { source: LOCAL, localConfigName: ${upgradeConfigName}, watchInterval: 10080 }
upgradeWindow: { delayTrigger: 30, timeOut: 0 }
maintenance: { controlPlaneTime: 240, ignoredAlerts: { controlPlaneCriticals: [ClusterOperatorDown] } }
scale: { timeOut: 120 }
nodeDrain: { timeOut: 45, expectedNodeDrainTime: 8 }
featureGate: { enabled: [PreHealthCheck] }
`

export const configDraft: Draft<ConfigMap> = {
  metadata: { namespace: upgradeHome, name: configMapName },
  data: { [configMapKey]: config },
}

/** An upgrade of a cluster that was made just now. */
export function upgradeDraft(made: Instant, speed: number): Draft<UpgradeConfig> {
  const { next: version, channel, upgradeAfter } = classicSample
  return {
    metadata: { namespace: upgradeHome, name: upgradeConfigName },
    spec: {
      type: 'OSD',
      upgradeAt: formatTime(made + upgradeAfter / speed),
      PDBForceDrainTimeout: 60,
      desired: { version, channel },
      capacityReservation: true,
    },
  }
}
