/**
 * Reads what a fleet does not keep in memory, when somebody asks why: read-only, bounded, and only what the objects in memory point to.
 *
 * - `needs.ts`: what is worth a look. `hosted.ts`, `classic.ts`: looks. `guest.ts`: the same inside of a cluster: nodes, Pods on those that are drained, budgets.
 * - `reader.ts`: one question at a time, within a few seconds; what is refused becomes a sentence. `means.ts`: what it takes.
 */
import type { ClusterObjects } from '../../model/objects.ts'
import { type Evidence, noControlPlane, noGuest, noMachines } from '../evidence.ts'
import { gatherClassic } from './classic.ts'
import { gatherHosted } from './hosted.ts'
import type { Means } from './means.ts'
import { Reader } from './reader.ts'

export type { Means } from './means.ts'

/** All evidence about one cluster. A member that cannot be reached is not asked: the answer is about what was last known. */
export async function gather(objects: ClusterObjects, means: Means): Promise<Evidence> {
  const reader = new Reader(means.clock, means.signal)
  for (const sentence of objects.unread) reader.note(`Not everything was looked at: ${sentence}.`)
  if (!objects.isCurrent) return lastKnown(objects)
  return objects.kind === 'Hosted' ? gatherHosted(objects, reader, means) : gatherClassic(objects, reader)
}

/** What can be told without asking anybody. */
function lastKnown({ client: _, isCurrent: _isCurrent, unread: _unread, member, ...known }: ClusterObjects): Evidence {
  const unknown = [`${member} cannot be reached: this is about what was last known of ${known.id}.`]
  return known.kind === 'Hosted'
    ? { ...known, controlPlane: noControlPlane, machines: noMachines, guest: noGuest, unknown }
    : { ...known, guest: noGuest, machineSets: [], machines: [], unknown }
}
