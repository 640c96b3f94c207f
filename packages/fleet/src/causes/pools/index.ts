/**
 * Why a node pool waits.
 *
 * - `conditions.ts`: a table of what its own conditions may say against it. `machine.ts`: the steps of a machine, and what may go wrong in each.
 * - `pool.ts`: both together, and whether there is anything to look at.
 */
import type { Instant } from '@windlass/core'
import type { Cause } from '../cause.ts'
import type { HostedEvidence } from '../evidence.ts'
import { causesOf } from './pool.ts'

export { isUnsettled } from './pool.ts'

export function poolCauses(evidence: HostedEvidence, now: Instant): readonly Cause[] {
  return evidence.pools.flatMap((pool) => causesOf(pool, evidence, now))
}
