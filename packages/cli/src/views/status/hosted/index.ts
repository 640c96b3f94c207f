/**
 * The status of a hosted cluster, from its own record, its components and its pools.
 *
 * - `control-plane.ts`: the management side. `data-plane.ts`: the guest. `node-pools.ts`: its nodes.
 * - `health/`: what is wrong. `objects.ts`: what all of it is made from. `reading.ts`: where that comes from; it is loaded by itself, since knowing where
 *   control planes live takes as long to load as everything else together.
 */
import { findCondition, type Instant } from '@windlass/core'
import { isSerious } from '../health.ts'
import { poolsInOrder } from '../pools.ts'
import type { StatusView } from '../view.ts'
import { controlPlaneOf } from './control-plane.ts'
import { dataPlaneOf } from './data-plane.ts'
import { hostedHealth } from './health/index.ts'
import { isUpdating, nodePoolOf } from './node-pools.ts'
import type { HostedObjects } from './objects.ts'

export type { HostedObjects } from './objects.ts'

export function hostedStatus(objects: HostedObjects, now: Instant): StatusView {
  const { namespace = '', name = '' } = objects.cluster.metadata
  const { state, ...controlPlane } = controlPlaneOf(objects, now)
  const dataPlane = dataPlaneOf(objects.cluster, now)
  const health = hostedHealth(objects, state, now)
  const isBlocked = findCondition(objects.cluster.status?.conditions, 'Progressing')?.reason === 'Blocked'
  const isBroken = state === 'Progressing' && health.some((each) => isSerious(each) && isAboutControlPlane(each.resources))
  return {
    cluster: `${namespace}/${name}`,
    isUpdating: !controlPlane.isCompleted || dataPlane?.isCompleted === false || objects.pools.some(isUpdating) || isBlocked,
    controlPlane: isBroken ? { ...controlPlane, assessment: 'Degraded' } : controlPlane,
    ...(dataPlane === undefined ? {} : { dataPlane }),
    pools: poolsInOrder(objects.pools.map((pool) => nodePoolOf(pool, dataPlane?.versions.target))),
    health,
  }
}

function isAboutControlPlane(resources: StatusView['health'][number]['resources']): boolean {
  return resources.some(({ resource }) => resource === 'controlplanecomponents')
}
