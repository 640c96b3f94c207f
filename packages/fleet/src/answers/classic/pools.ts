import type { MachineConfigPool } from '@windlass/api'
import { type Duration, isTrue, type SkewRange, transitionTime } from '@windlass/core'
import type { PoolView } from '../../contract/index.ts'
import { conditionsOf, type Expectations } from '../conditions.ts'
import type { Moments } from '../moments.ts'
import type { ClassicParts } from '../parts.ts'
import { skewOfVersions } from './skew.ts'

/** The pool of the machines that run the control plane. */
const controlPlanePool = 'master'

/** Whether its nodes are the data plane's. */
export function isOfWorkers({ metadata }: MachineConfigPool): boolean {
  return metadata.name !== controlPlanePool
}

/** How the update of a pool is getting on, by the rule that node pools of hosted clusters have: a large one may take longer. */
export function machineConfigPoolState(
  { spec, status }: MachineConfigPool,
  { threshold, moments }: { readonly threshold: Duration; readonly moments: Moments },
): PoolView['state'] {
  const { conditions, machineCount = 0 } = status ?? {}
  if (isTrue(conditions, 'Updated')) return 'Completed'
  if (spec.paused === true) return 'Paused'
  if (!isTrue(conditions, 'Updating')) return 'Unknown'
  const since = transitionTime(conditions, 'Updating')
  return since !== undefined && moments.isAfter(since + threshold * (1 + machineCount / 6)) ? 'Stalled' : 'Progressing'
}

const healthy: Expectations = { Degraded: 'False', NodeDegraded: 'False', RenderDegraded: 'False', Updated: 'True', Updating: 'False' }

export interface MachineConfigPoolLook {
  readonly threshold: Duration
  readonly moments: Moments
  readonly versionOf: ClassicParts['versionOf']
  readonly range: SkewRange | undefined
}

/** Its nodes go from the config that all of them have had to the one that they should have; either is of a version. */
export function machineConfigPoolView(pool: MachineConfigPool, look: MachineConfigPoolLook): PoolView {
  const { machineCount = 0, readyMachineCount = 0, updatedMachineCount = 0, conditions } = pool.status ?? {}
  const { versionOf, range } = look
  const version = versionOf(pool.status?.configuration?.name ?? '')
  const desired = versionOf(pool.spec.configuration?.name ?? '')
  return {
    name: pool.metadata.name ?? '',
    ...(version === '' ? {} : { version }),
    ...(desired === '' ? {} : { desired }),
    state: machineConfigPoolState(pool, look),
    wanted: machineCount,
    ready: readyMachineCount,
    updated: updatedMachineCount,
    skew: skewOfVersions(machineCount === 0 ? [] : [version], range),
    ...(range === undefined ? {} : { allowed: { from: range.tolerated.min, to: range.tolerated.max.text } }),
    conditions: conditionsOf(conditions, healthy),
  }
}
