/**
 * Why a classic cluster waits. What is said of its version and its operators holds for the guests of hosted clusters too.
 *
 * - `cluster-version.ts`: what its version operator says. `operators.ts`: which operators it waits for, and what is wrong with them.
 * - `pools.ts`: machine config pools and their nodes. `upgrade-config.ts`: the steps of a managed upgrade. `machines.ts`: the workers that it adds.
 * - `insights.ts`: what health insights say of objects that nobody else speaks of.
 */
import { type Instant, isTrue } from '@windlass/core'
import type { Cause } from '../cause.ts'
import type { ClassicEvidence } from '../evidence.ts'
import { versionCauses } from './cluster-version.ts'
import { insightCauses } from './insights.ts'
import { poolCauses, poolTroubles } from './pools.ts'
import { upgradeCauses } from './upgrade-config.ts'

export { upgradeTroubles, versionCauses } from './cluster-version.ts'

/** Without these an update does not end. */
const requiredLabel = 'operator.machineconfiguration.openshift.io/required-for-upgrade'

export function classicCauses(evidence: ClassicEvidence, now: Instant): readonly Cause[] {
  const { clusterVersion, operators, machineConfigPools } = evidence
  const holding = machineConfigPools.filter(
    ({ metadata, status }) => metadata.labels?.[requiredLabel] !== undefined || isTrue(status?.conditions, 'Degraded'),
  )
  const causes = [
    ...versionCauses({ clusterVersion, operators, poolTroubles: holding.flatMap((pool) => poolTroubles(pool, evidence, now)) }, now),
    ...poolCauses(evidence, now),
  ]
  const managed = upgradeCauses(evidence, causes, now)
  return [...causes, ...managed, ...insightCauses(evidence.health, [...causes, ...managed])]
}
