/**
 * All clusters of all members, live.
 *
 * - `fleet.ts`: what a fleet can be asked. `live-fleet.ts`: the one that there is; a change marks its cluster, and marked ones are worked out anew.
 * - `member-clusters.ts`: which cluster a change is about, and the objects of each (`objects.ts`).
 * - `rows.ts`: all rows and what is counted about them. `due-times.ts`: which of them change by time alone. `notices.ts`: who is told.
 * - `cluster-view.ts`, `event-stream.ts` (`inbox.ts`): what is read when somebody asks.
 */
export type { EventsQuestion, Fleet } from './fleet.ts'
export { createFleet, type FleetOptions } from './live-fleet.ts'
export type { ClassicObjects, ClusterObjects, HostedObjects } from './objects.ts'
