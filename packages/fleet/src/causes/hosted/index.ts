/**
 * Why a hosted cluster waits. Its node pools have a folder of their own.
 *
 * - `components.ts`: who waits for whom in its control plane, down to the Pod. `conditions.ts`: a table of what its own conditions may say against it.
 * - `upgrade-gate.ts`: a release that is not passed on. `data-plane.ts`: what its guest says. `deletion.ts`: what it leaves behind when it goes.
 * - `unknown.ts`: what it does not know about itself.
 */
import type { Instant } from '@windlass/core'
import type { Cause } from '../cause.ts'
import type { HostedEvidence } from '../evidence.ts'
import { poolCauses } from '../pools/index.ts'
import { componentCauses } from './components.ts'
import { conditionCauses, controlPlaneCauses } from './conditions.ts'
import { dataPlaneCauses } from './data-plane.ts'
import { deletionCauses } from './deletion.ts'
import { gateCauses } from './upgrade-gate.ts'

export { unknownConditions } from './unknown.ts'

export function hostedCauses(evidence: HostedEvidence, now: Instant): readonly Cause[] {
  const pools = poolCauses(evidence, now)
  if (evidence.hostedCluster.metadata.deletionTimestamp !== undefined) return [...pools, ...deletionCauses(evidence, now)]
  const components = componentCauses(evidence, now)
  const conditions = conditionCauses(evidence, components, now)
  const paused = conditions.some(({ links: [{ reason }] }) => reason === 'ReconciliationPaused') ? [] : controlPlaneCauses(evidence)
  return [...components, ...conditions, ...paused, ...gateCauses(evidence), ...dataPlaneCauses(evidence, now), ...pools]
}
