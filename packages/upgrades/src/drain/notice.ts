import type { UpgradeConfig } from '@windlass/api'
import { type Effect, notify, owe } from '../effects/effect.ts'
import { isOwed, wasSent } from '../notifications/sent-record.ts'
import type { StrategyName } from './strategies.ts'

/**
 * Pods that a budget protects are deleted, so their owners are told that this may be what delays the upgrade. That it is owed is written down before: once
 * the pods are gone nothing would remind us.
 */
export function withDelayNotice(
  upgradeConfig: UpgradeConfig,
  effects: readonly Effect[],
  executed: readonly StrategyName[],
): readonly Effect[] {
  const isAlreadyOwed = isOwed(upgradeConfig, 'StateDelayed')
  const isNew = executed.includes('PDB-DELETE') && !wasSent(upgradeConfig, 'StateDelayed')
  if (!isAlreadyOwed && !isNew) return effects
  return [...(isAlreadyOwed ? [] : [owe('StateDelayed')]), ...effects, notify('StateDelayed', { cause: 'node drain', onFailure: 'report' })]
}
