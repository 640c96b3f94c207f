import { machineApi } from '@windlass/api'
import { act, type Effect, type OnFailure } from '../effects/effect.ts'
import { remove } from '@windlass/kube'
import { isExtra } from './originals.ts'

/** Removes the machine sets that were added and are not going already. Only marked ones: nobody else's machines are touched. */
export function removeExtras(machineSets: readonly machineApi.MachineSet[], onFailure: OnFailure = 'stop'): readonly Effect[] {
  return machineSets
    .filter((machineSet) => isExtra(machineSet) && machineSet.metadata.deletionTimestamp === undefined)
    .map((machineSet) => act(remove(machineApi.MachineSet, machineSet, 'it was added for the upgrade'), onFailure))
}

/** Names of the nodes of extra machines that are running or going: those are drained. */
export function extraNodeNames(machines: readonly machineApi.Machine[]): ReadonlySet<string> {
  const isDrained = ({ status }: machineApi.Machine): boolean => status?.phase === 'Running' || status?.phase === 'Deleting'
  return new Set(
    machines
      .filter((machine) => isExtra(machine) && isDrained(machine))
      .flatMap(({ status }) => (status?.nodeRef?.name === undefined ? [] : [status.nodeRef.name])),
  )
}
