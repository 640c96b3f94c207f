/**
 * What is wrong with the update of a hosted cluster. Nobody keeps insights into these, so that it is worked out anew at every look; limits are those of
 * insights into standalone clusters.
 *
 * One file for each part that something can be wrong with; `observed.ts`: what they have in common.
 */
import type { Instant, RolloutState } from '@windlass/core'
import { worstFirst } from '../../health.ts'
import type { HealthView } from '../../view.ts'
import type { HostedObjects } from '../objects.ts'
import { componentHealth } from './components.ts'
import { controlPlaneHealth } from './control-plane.ts'
import { dataPlaneHealth } from './data-plane.ts'
import { poolHealth } from './node-pools.ts'

export function hostedHealth(objects: HostedObjects, state: RolloutState, now: Instant): readonly HealthView[] {
  return worstFirst([
    ...controlPlaneHealth(objects, state),
    ...objects.components.flatMap((component) => componentHealth(component, now)),
    ...dataPlaneHealth(objects.cluster, now),
    ...objects.pools.flatMap((pool) => poolHealth(pool, now)),
  ])
}
