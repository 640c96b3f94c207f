import { ClusterVersion, machineApi, Node, Pod, UpgradeConfig } from '@windlass/api'
import type { Invariant, Write } from '@windlass/kube/simulation'
import { isBeingUpdated } from '../cluster/nodes.ts'
import { isExtra } from '../scaling/index.ts'
import { type HistoryEntry, historyOf } from '../upgrade-config/index.ts'
import type { Wishes } from './wishes.ts'

/** Whether the operator under test wrote it, in any of its lives. */
export function isByOperator({ actor }: Write): boolean {
  return actor.process.startsWith('operator')
}

function machinesInWindow(wishes: Wishes): Invariant {
  return {
    name: 'extra machines are added only in the window of an upgrade',
    of: machineApi.MachineSet,
    holds(write, state) {
      const added = write.verb === 'create' ? write.as(machineApi.MachineSet) : undefined
      return added === undefined || !isExtra(added) || wishes.judge(write.at, state)
    },
  }
}

function commencedInWindow(wishes: Wishes): Invariant {
  return {
    name: 'an update is commenced only in the window of an upgrade',
    of: ClusterVersion,
    holds(write, state) {
      const [before, after] = [write.was(ClusterVersion), write.as(ClusterVersion)]
      if (!isByOperator(write) || before?.spec.desiredUpdate?.version === after?.spec.desiredUpdate?.version) return true
      // By how it was before: now every wish for that version has commenced.
      return wishes.judge(write.at, state, before)
    },
  }
}

/** Nodes of extra machines go: they are drained by whoever removes them. */
const drainsWhatIsUpdated: Invariant = {
  name: 'pods are touched only on nodes that are updated or removed',
  of: Pod,
  holds(write, state) {
    if (!isByOperator(write)) return true
    const name = write.as(Pod)?.spec.nodeName ?? ''
    const node = state.get(Node, { name })
    if (node === undefined || isBeingUpdated(node)) return true
    const isRemoved = state.list(machineApi.Machine).some((machine) => isExtra(machine) && machine.status?.nodeRef?.name === name)
    return isRemoved || `${write.name} was on ${name}, which is not being updated`
  },
}

const lawfulPhases: Readonly<Record<string, readonly string[]>> = {
  New: ['Pending'],
  Pending: ['Upgrading', 'New'],
  Upgrading: ['Upgraded', 'Failed'],
}

/** What is on record stays: phases go one way, and times that have been written do not move. */
export const keepsItsRecord: Invariant = {
  name: 'the record of an upgrade only grows',
  of: UpgradeConfig,
  holds(write) {
    const [before, after] = [write.was(UpgradeConfig), write.as(UpgradeConfig)]
    if (write.verb !== 'update' || before === undefined || after === undefined) return true
    for (const old of historyOf(before)) {
      // That of an image gets its name once the version is known.
      const isNamed = ({ version }: HistoryEntry): boolean => version === old.version || (old.version ?? '') === ''
      const entry = historyOf(after).find(isNamed)
      const problem = entry === undefined ? `the entry for ${old.version ?? ''} is gone` : brokenRecord(old, entry)
      if (problem !== undefined) return problem
    }
    return true
  },
}

function brokenRecord(old: HistoryEntry, entry: HistoryEntry): string | undefined {
  if (old.phase !== entry.phase && lawfulPhases[old.phase]?.includes(entry.phase) !== true)
    return `it went from ${old.phase} to ${entry.phase}`
  for (const field of ['startTime', 'completeTime', 'workerStartTime', 'workerCompleteTime'] as const) {
    if (old[field] !== undefined && old[field] !== entry[field]) return `${field} went from ${old[field]} to ${entry[field] ?? 'nothing'}`
  }
  for (const condition of old.conditions ?? []) {
    const now = entry.conditions?.find(({ type }) => type === condition.type)
    if (now === undefined) return `the condition ${condition.type} is gone`
    if (condition.startTime !== now.startTime) return `${condition.type} began at another time`
    const wasDone = condition.status === 'True' && now.status === 'True'
    if (wasDone && condition.completeTime !== now.completeTime) return `${condition.type} was done at another time`
  }
  return undefined
}

/** What must be so after every single write of a run in which people have these wishes. */
export function invariantsWith(wishes: Wishes): readonly Invariant[] {
  return [wishes.watching, machinesInWindow(wishes), commencedInWindow(wishes), drainsWhatIsUpdated, keepsItsRecord]
}
