import type { machineApi } from '@windlass/api'
import { matchesAnyGlob } from '../config/index.ts'

export const machineNamespace = 'openshift-machine-api'

export const Label = {
  /** Marks what we have added, and hence what we may remove. */
  upgrade: 'upgrade.managed.openshift.io',
  machineSet: 'machine.openshift.io/cluster-api-machineset',
  pool: 'hive.openshift.io/machine-pool',
} as const

const workerPool = 'worker'

/** Whether a machine set, or a machine, was added for an upgrade. */
export function isExtra({ metadata }: Pick<machineApi.MachineSet, 'metadata'>): boolean {
  return metadata.labels?.[Label.upgrade] === 'true'
}

export function hasWorkerPool(machineSets: readonly machineApi.MachineSet[]): boolean {
  return machineSets.some((machineSet) => !isExtra(machineSet) && poolOf(machineSet) === workerPool)
}

/** The machine sets that get a copy: those of the pool `worker`, usually one per zone, and those of the extra pools. How many machines they have does not matter. */
export function originalsOf(
  machineSets: readonly machineApi.MachineSet[],
  extraPools: readonly string[],
): readonly machineApi.MachineSet[] {
  return machineSets.filter((machineSet) => {
    const pool = poolOf(machineSet)
    return !isExtra(machineSet) && pool !== undefined && (pool === workerPool || matchesAnyGlob(extraPools, pool))
  })
}

function poolOf({ metadata }: machineApi.MachineSet): string | undefined {
  return metadata.labels?.[Label.pool]
}
