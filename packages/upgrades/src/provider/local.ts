import type { UpgradeConfig } from '@windlass/api'
import { entryOf } from '../upgrade-config/history.ts'
import type { UpgradeSpec } from './refresh.ts'

/** The provider LOCAL wants what is there, until it is done: then it wants nothing, and the UpgradeConfig goes. One that nobody has looked at yet stays. */
export function localSpecs(upgradeConfig: UpgradeConfig | undefined): readonly UpgradeSpec[] {
  return upgradeConfig === undefined || entryOf(upgradeConfig)?.phase === 'Upgraded' ? [] : [upgradeConfig.spec]
}
