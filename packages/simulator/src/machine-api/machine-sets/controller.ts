import type { machineApi, Node } from '@windlass/api'
import { isTrue } from '@windlass/core'
import { type CacheReader, changed, controllerOf, type ControllerDefinition, refOf, selects, watching } from '@windlass/kube'
import { nodes } from '../../cluster/machine-config/index.ts'
import { namesFor } from '../../workloads/pods/index.ts'
import { machines, machineSets, setOf } from '../caches.ts'
import { decide, missingOf, type Observed } from './decide.ts'

/** Makes and deletes machines until there are as many as were asked for. */
export const machineSetController: ControllerDefinition<machineApi.MachineSet, Observed> = {
  name: 'simulated-machine-api-machine-sets',
  for: machineSets,
  watches: [
    watching(
      machines,
      (machine, cache) => setsOf(machine, cache),
      changed(({ metadata, status }: machineApi.Machine) => [
        metadata.labels,
        metadata.annotations,
        metadata.deletionTimestamp,
        metadata.ownerReferences,
        status?.nodeRef,
      ]),
    ),
    watching(
      nodes,
      ({ metadata }, cache) => cache.byIndex(machines, 'node', metadata.name ?? '').flatMap((machine) => setsOf(machine, cache)),
      changed(({ status }: Node) => isTrue(status?.conditions, 'Ready')),
    ),
  ],
  observe(ref, cache) {
    const set = cache.get(machineSets, ref)
    if (set === undefined) return undefined
    const own = cache
      .list(machines, { namespace: ref.namespace ?? '' })
      .filter((machine) => isOf(set, machine))
      .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    const isTaken = (name: string): boolean => cache.get(machines, { ...ref, name }) !== undefined
    const found = own.flatMap(({ status }) => {
      const node = status?.nodeRef?.name === undefined ? undefined : cache.get(nodes, { name: status.nodeRef.name })
      return node === undefined ? [] : [[node.metadata.name ?? '', node] as const]
    })
    return { set, machines: own, nodes: new Map(found), names: namesFor(ref.name, missingOf(set, own), isTaken) }
  },
  decide,
}

function isOf(set: machineApi.MachineSet, machine: machineApi.Machine): boolean {
  const owner = controllerOf(machine)
  if (owner !== undefined) return owner.uid === set.metadata.uid
  return machine.metadata.deletionTimestamp === undefined && selects(set.spec.selector, machine.metadata.labels)
}

/** The set that has it; of one that nobody has, all that it fits. */
function setsOf(machine: machineApi.Machine, cache: CacheReader) {
  const owner = setOf(machine)
  if (owner !== undefined) return [owner]
  return cache
    .list(machineSets, { namespace: machine.metadata.namespace ?? '' })
    .filter((set) => isOf(set, machine))
    .map(refOf)
}
