import { capi } from '@windlass/api'
import type { KubernetesObject, Resource } from '@windlass/api'
import { type Action, patch, refOf } from '@windlass/kube'
import { ownMachineSetOf, type Seen } from '../seen.ts'
import { Annotation } from '../wire.ts'

/**
 * Tells those who make and replace machines to stop. The MachineSets of a MachineDeployment keep their numbers: a machine that breaks is replaced by
 * one of the same kind.
 */
export function pauseActions(seen: Seen): readonly Action[] {
  return [
    ...paused(capi.MachineDeployment, seen.machineDeployment),
    ...paused(capi.MachineSet, ownMachineSetOf(seen)),
    ...seen.healthChecks.flatMap((healthCheck) => paused(capi.MachineHealthCheck, healthCheck)),
  ]
}

function paused<T extends KubernetesObject>(kind: Resource<T>, object: T | undefined): readonly Action[] {
  if (object === undefined || object.metadata.annotations?.[Annotation.paused] === 'true') return []
  return [patch(kind, refOf(object), { metadata: { annotations: { [Annotation.paused]: 'true' } } }, 'its pool is paused')]
}
