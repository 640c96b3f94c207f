import type { ClusterRow, FleetFigures } from './fleet.ts'
import type { MemberView } from './members.ts'
import type { ClusterId } from './place.ts'

/** What changed since the last one: rows that take the place of those with the same id, ids that are gone. Figures and members come whole when they changed. */
export interface FleetChange {
  readonly time: string
  readonly clusters: readonly ClusterRow[]
  readonly removed: readonly ClusterId[]
  readonly figures?: FleetFigures
  readonly members?: readonly MemberView[]
}
