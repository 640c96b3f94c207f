import type { MachineConfigPool } from '@windlass/api'

/** The only pool that is looked at. */
export const workerPoolName = 'worker'

/** How many nodes of a pool there are, and how many of them have what they should have. */
export interface PoolProgress {
  readonly machines: number
  readonly updated: number
  /** A pool that is paused counts as upgrading until it is not: its nodes still have to change. */
  readonly isUpgrading: boolean
}

export function poolProgress({ status }: MachineConfigPool): PoolProgress {
  const machines = status?.machineCount ?? 0
  const updated = status?.updatedMachineCount ?? 0
  return { machines, updated, isUpgrading: machines !== updated }
}
