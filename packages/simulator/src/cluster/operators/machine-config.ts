import type { MachineConfigPool } from '@windlass/api'
import { findCondition, type Instant, isTrue } from '@windlass/core'
import { renderedName, requiredLabel } from '../machine-config/index.ts'
import { minutesOf, type Settings } from '../settings.ts'
import type { Order } from '../version-operator/index.ts'
import type { Work } from './work.ts'

/** What is wrong with an operator. */
export interface Ailment {
  readonly reason: string
  readonly message: string
}

/** How many minutes a node of a required pool may take. */
const minutesPerNode = 10

/** The operator of machine configs has got to a release when all pools have that it is required for. */
export function workOnPools(work: Work, pools: readonly MachineConfigPool[], { release }: Order): Work {
  const behind = pools.filter(isRequired).filter((pool) => !isAt(pool, renderedName(pool, release)))
  if (behind.length === 0) return { ...work, message: work.isDone ? undefined : `Working towards ${release.version}` }
  return { ...work, isDone: false, message: `Working towards ${release.version}: ${behind.map(describe).join(', ')}` }
}

/** It is degraded when a required pool takes too long, and when any pool is. */
export function ailmentOfPools(
  pools: readonly MachineConfigPool[],
  order: Order | undefined,
  settings: Settings,
  now: Instant,
): { readonly ailment?: Ailment; readonly moments: readonly Instant[] } {
  const degraded = pools.filter(({ status }) => isTrue(status?.conditions, 'Degraded'))
  const late = order === undefined ? { pools: [], moments: [] } : tooLate(pools, order, settings, now)
  const version = order?.release.version ?? ''
  const [pool] = late.pools
  if (pool !== undefined) {
    const message = `Unable to apply ${version}: error during syncRequiredMachineConfigPools: pool ${pool.metadata.name ?? ''} has not progressed to latest configuration: ${describe(pool)}, retrying`
    return { ailment: { reason: 'RequiredPoolsFailed', message }, moments: late.moments }
  }
  if (degraded.length === 0) return { moments: late.moments }
  const names = degraded.map(
    ({ metadata, status }) => `${metadata.name ?? ''} (${findCondition(status?.conditions, 'Degraded')?.message ?? ''})`,
  )
  return { ailment: { reason: 'MachineConfigPoolsDegraded', message: `Pools are degraded: ${names.join(', ')}` }, moments: late.moments }
}

function tooLate(pools: readonly MachineConfigPool[], { release, since }: Order, settings: Settings, now: Instant) {
  const behind = pools.filter(isRequired).filter((pool) => !isAt(pool, renderedName(pool, release)))
  const limit = (pool: MachineConfigPool): Instant =>
    since + minutesOf(settings, minutesPerNode * Math.max(1, pool.status?.machineCount ?? 0)) + 1
  return { pools: behind.filter((pool) => limit(pool) <= now), moments: behind.map(limit) }
}

function isRequired({ metadata }: MachineConfigPool): boolean {
  return metadata.labels?.[requiredLabel] !== undefined
}

/** Evidence only: its own status must say so, about the spec as it is. */
function isAt({ metadata, spec, status }: MachineConfigPool, config: string): boolean {
  return (
    spec.configuration?.name === config &&
    status?.configuration?.name === config &&
    status.observedGeneration === metadata.generation &&
    isTrue(status.conditions, 'Updated')
  )
}

function describe({ metadata, status }: MachineConfigPool): string {
  return `${metadata.name ?? ''} ${status?.updatedMachineCount ?? 0} of ${status?.machineCount ?? 0} nodes updated`
}
