import { type KubernetesObject, machineApi, type Node } from '@windlass/api'
import { cached, controllerOf, type Ref } from '@windlass/kube'
import { Annotation } from './wire.ts'

/** What the machine API keeps in memory. Declared once, so that its parts share it. Nodes and Pods it shares with the rest of the cluster. */
export const machineSets = cached(machineApi.MachineSet)
export const machines = cached<machineApi.Machine, 'node'>(machineApi.Machine, {
  indexes: { node: (machine) => [nodeNameOf(machine)] },
})

/** The node of a machine: the one that it has become, or the one that it will become. */
export function nodeNameOf({ metadata, status }: machineApi.Machine): string {
  return status?.nodeRef?.name ?? metadata.name ?? ''
}

/** The MachineSet that controls a machine. */
export function setOf(machine: KubernetesObject): Ref | undefined {
  const owner = controllerOf(machine)
  if (owner === undefined || owner.kind !== machineApi.MachineSet.kind) return undefined
  return { namespace: machine.metadata.namespace ?? '', name: owner.name }
}

/** The machine that a node says it came from. */
export function machineOf({ metadata }: Node): Ref | undefined {
  const [namespace = '', name = ''] = (metadata.annotations?.[Annotation.machine] ?? '').split('/')
  return name === '' ? undefined : { namespace, name }
}
