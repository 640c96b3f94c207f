import type { ClusterRow, ExposureState, ExposureView, FleetChange, FleetView, MemberView } from '../contract/index.ts'
import { figuresOf } from '../answers/figures.ts'
import type { Sight } from './sign-in/sight.ts'

/** What somebody may see of a fleet. The same object for who may see all of it. */
export function seenFleet(view: FleetView, sight: Sight): FleetView {
  if (sight.isEverything) return view
  const clusters = view.clusters.filter((row) => sight.seesRow(row))
  return { ...view, members: seenMembers(view.members, clusters, sight), figures: figuresOf(clusters), clusters }
}

/** What somebody may see of a change; undefined when that is nothing. Figures are counted anew, from the fleet as it is. */
export function seenChange(change: FleetChange, view: () => FleetView, sight: Sight): FleetChange | undefined {
  if (sight.isEverything) return change
  const { figures: _, members, ...rest } = change
  const clusters = change.clusters.filter((row) => sight.seesRow(row))
  const removed = change.removed.filter((id) => sight.seesId(id))
  const hasRows = clusters.length + removed.length > 0
  if (!hasRows && members === undefined) return undefined
  const whole = seenFleet(view(), sight)
  return {
    ...rest,
    clusters,
    removed,
    ...(hasRows ? { figures: whole.figures } : {}),
    ...(members === undefined ? {} : { members: whole.members }),
  }
}

export function seenExposure(view: ExposureView, sight: Sight): ExposureView {
  if (sight.isEverything) return view
  const clusters = view.clusters.filter(({ id }) => sight.seesId(id))
  const counts: Record<ExposureState, number> = { Fixed: 0, Pending: 0, Vulnerable: 0, Unknown: 0 }
  for (const { state } of clusters) counts[state]++
  return { ...view, counts, clusters }
}

function seenMembers(members: readonly MemberView[], rows: readonly ClusterRow[], sight: Sight): readonly MemberView[] {
  const counts = new Map<string, number>()
  for (const { member } of rows) counts.set(member, (counts.get(member) ?? 0) + 1)
  return members.filter(({ name }) => sight.seesMember(name)).map((member) => ({ ...member, clusters: counts.get(member.name) ?? 0 }))
}
