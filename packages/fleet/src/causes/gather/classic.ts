import { machineApi } from '@windlass/api'
import { machineNamespace } from '@windlass/upgrades'
import type { ClassicObjects } from '../../model/objects.ts'
import { type ClassicEvidence, noGuest } from '../evidence.ts'
import { gatherGuest } from './guest.ts'
import { classicNeeds } from './needs.ts'
import type { Reader } from './reader.ts'

/** The same for a classic cluster: its nodes when a pool of them is not where it should be, its machines when an upgrade waits for some. */
export async function gatherClassic(objects: ClassicObjects, reader: Reader): Promise<ClassicEvidence> {
  const { client, isCurrent: _, member: _member, unread: _unread, ...known } = objects
  const needs = classicNeeds(objects)
  const where = `in namespace ${machineNamespace}`
  const all = { namespace: machineNamespace }
  const machines = needs.machines ? reader.list(client, machineApi.Machine, where, all) : Promise.resolve([])
  const [sets, found, guest] = await Promise.all([
    needs.machines ? reader.list(client, machineApi.MachineSet, where, all) : [],
    machines,
    needs.nodes ? gatherGuest(reader, client, { version: false, nodes: true, leaving: machines.then(leavingNodes) }) : noGuest,
  ])
  return { ...known, machineSets: sets, machines: found, guest, unknown: reader.unknown }
}

function leavingNodes(machines: readonly machineApi.Machine[]): ReadonlySet<string> {
  return new Set(
    machines.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).flatMap(({ status }) => status?.nodeRef?.name ?? []),
  )
}
