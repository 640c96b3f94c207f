import { findCondition } from '@windlass/core'
import { entryOf } from '@windlass/upgrades'
import type { Moments } from '../moments.ts'
import type { ClassicParts } from '../parts.ts'
import { firstTrouble, hasLasted, type Trouble, wordsOf } from '../trouble.ts'

const minute = 60_000

const ofVersions: readonly Trouble[] = [
  { type: 'Failing', is: 'True', after: 10 * minute },
  { type: 'ReleaseAccepted', is: 'False', after: minute },
  { type: 'Available', is: 'False', after: 5 * minute, isNormalAtFirst: true },
]

const ofOperators: readonly Trouble[] = [
  { type: 'Available', is: 'False', after: 5 * minute, isNormalAtFirst: true },
  { type: 'Degraded', is: 'True', after: 20 * minute, isNormalAtFirst: true },
]

/** What is wrong with a classic cluster; undefined when nothing is. */
export function classicTrouble(parts: ClassicParts, isInstalling: boolean, moments: Moments): string | undefined {
  const { clusterVersion, operators, machineConfigPools, upgradeConfig, health } = parts
  const upgrade = upgradeConfig === undefined ? undefined : entryOf(upgradeConfig)
  if (upgrade?.phase === 'Failed') return `the managed upgrade to ${upgrade.version ?? ''} has failed`
  let found = firstTrouble(ofVersions, clusterVersion.status?.conditions, isInstalling, moments)
  // All are asked: each may be one more reason to look again later.
  for (const { metadata, status } of operators) {
    const trouble = firstTrouble(ofOperators, status?.conditions, isInstalling, moments)
    if (trouble !== undefined) found ??= `operator ${metadata.name ?? ''}: ${trouble}`
  }
  for (const { metadata, status } of machineConfigPools) {
    const degraded = findCondition(status?.conditions, 'Degraded')
    if (degraded?.status !== 'True' || !hasLasted(degraded, 5 * minute, moments)) continue
    found ??= `machine config pool ${metadata.name ?? ''} is degraded: ${wordsOf(degraded)}`
  }
  const grave = health.find(({ status }) => status?.impact.level === 'Critical' || status?.impact.level === 'Error')
  return found ?? grave?.status?.impact.summary
}
