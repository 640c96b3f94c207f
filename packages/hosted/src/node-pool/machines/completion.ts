import type { capi } from '@windlass/api'
import type { ObservedNodePool } from '../observed.ts'
import { isInPlace, isUnmanaged, ownMachineSetOf } from '../seen.ts'
import { Annotation, PoolAnnotation } from '../wire.ts'

/**
 * Whether every machine of a MachineDeployment is made from its present template, and available.
 *
 * The counters must be of this generation: after a change they are those of the template before until somebody has counted again. Newer providers count
 * what is up to date in another place too, and then that must say the same.
 */
export function isMachineDeploymentComplete({ metadata, spec, status }: capi.MachineDeployment): boolean {
  const wanted = spec.replicas ?? 0
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration = 0, v1beta2 } = status ?? {}
  const isCounted = observedGeneration >= (metadata.generation ?? 0)
  const isThere = updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted
  const isUpToDate = v1beta2 === undefined || (v1beta2.upToDateReplicas === wanted && v1beta2.availableReplicas === wanted)
  return isCounted && isThere && isUpToDate
}

/** Whether the in-place upgrader has brought every node to what was requested of it. */
export function isMachineSetComplete({ metadata: { annotations } }: capi.MachineSet): boolean {
  const target = annotations?.[Annotation.targetConfigVersion]
  return target !== undefined && target === annotations?.[PoolAnnotation.currentConfigVersion]
}

/** Whether a pool is at rest at this version, by whomever it was brought there. */
export function isSettled(observed: Pick<ObservedNodePool, 'pool' | 'machineSets' | 'machineDeployment'>, version: string): boolean {
  if (observed.pool.status?.version !== version) return false
  if (isUnmanaged(observed)) return true
  if (isInPlace(observed)) {
    const machineSet = ownMachineSetOf(observed)
    return machineSet !== undefined && isMachineSetComplete(machineSet)
  }
  return observed.machineDeployment !== undefined && isMachineDeploymentComplete(observed.machineDeployment)
}
