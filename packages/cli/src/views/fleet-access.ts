import { type Clock, type Instant, systemRandom } from '@windlass/core'
import { createFleet, type Fleet, type FleetView, type MemberSource, type MemberView } from '@windlass/fleet'
import { silentLog } from '@windlass/kube'
import type { Context } from '../context.ts'
import { membersOf, type MemberFlags } from '../dashboard/members.ts'
import { Failure } from '../failures.ts'
import { version } from '../version.ts'
import { latestTimeOn, objectsInFolder } from './folder-source.ts'
import { folderMember } from './folder-member.ts'

/** Which fleet to ask, as commander hands it over. */
export interface FleetFlags extends MemberFlags {
  /** Objects from files instead of clusters. */
  readonly from?: string
  /** The moment at which those are looked at. */
  readonly at?: Instant
  /** How long an update may take before it has stalled, in milliseconds. */
  readonly stalledAfter?: number
}

export interface OpenFleet {
  readonly fleet: Fleet
  /** The moment that is looked at. */
  readonly now: () => Instant
}

/** How long members may take to say what they have. Those that have not by then are shown as such. */
const patience = 60_000

/** Asks the fleet that the flags lead to. It is left at the end, whatever happens. */
export async function withFleet<R>({ clock }: Context, flags: FleetFlags, use: (open: OpenFleet) => Promise<R>): Promise<R> {
  const { members, clock: seen } = await sourcesOf(flags, clock)
  const threshold = flags.stalledAfter === undefined ? {} : { threshold: flags.stalledAfter }
  const fleet = createFleet({ members, clock: seen, random: systemRandom, log: silentLog, ...threshold })
  const ending = new AbortController()
  const running = fleet.run(ending.signal)
  // Whoever uses it is told, by what it cannot do then.
  running.catch(() => {})
  try {
    await readyOf(fleet, clock)
    return await use({ fleet, now: () => seen.now() })
  } finally {
    ending.abort(new Error('windlass is done'))
    await running.catch(() => {})
  }
}

async function readyOf(fleet: Fleet, clock: Clock): Promise<void> {
  const limit = new AbortController()
  const cancel = clock.after(patience, () => limit.abort(new Error('it takes too long')))
  try {
    await fleet.ready(limit.signal)
  } catch (error) {
    if (!limit.signal.aborted) throw error
  } finally {
    cancel()
  }
}

async function sourcesOf(flags: FleetFlags, clock: Clock): Promise<{ readonly members: readonly MemberSource[]; readonly clock: Clock }> {
  const { from } = flags
  if (from === undefined) return { members: (await membersOf(flags, { clock, log: silentLog })).map(({ source }) => source), clock }
  const objects = objectsInFolder(from)
  if (objects.length === 0)
    throw new Failure(`there are no objects in ${from}: it should hold YAML files, as kubectl get -o yaml writes them`)
  const at = flags.at ?? latestTimeOn(objects) ?? 0
  const still: Clock = {
    now: () => at,
    monotonic: () => clock.monotonic(),
    after: (milliseconds, fire) => clock.after(milliseconds, fire),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  }
  const options = { clock: still, random: systemRandom, userAgent: `windlass/${version}`, fieldManager: 'windlass' }
  return { members: [folderMember('files', objects, options)], clock: still }
}

/** Says of every member what is not known of it, and why. Gives how many there are of which nothing current is known at all. */
export function complainOfMembers({ output }: Context, { members }: Pick<FleetView, 'members'>): number {
  for (const { name, state, message } of members) {
    if (state === 'Synced' && message === undefined) continue
    const what = { Synced: 'is known in part', Connecting: 'has not answered yet', Unreachable: 'cannot be reached' }[state]
    output.complain(`windlass: ${name} ${what}${message === undefined ? '' : `: ${message}`}`)
  }
  return members.filter(isLost).length
}

/** Whether all of its clusters and nodes can be seen. What is not seen may be anything. */
export function isWhole(member: MemberView): boolean {
  return !isLost(member) && member.isPartial !== true
}

function isLost({ state, message, clusters }: MemberView): boolean {
  return state !== 'Synced' || (clusters === 0 && message !== undefined)
}
