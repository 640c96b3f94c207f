/**
 * The web page, as commands serve it.
 *
 * - `run.ts`: what `windlass dashboard` does. `laptop.ts`: the same in the process of `windlass up`.
 * - `members.ts`: contexts of a kubeconfig as members of a fleet; the commands that look at a fleet use it too.
 * - `doors.ts`, `in-process.ts`: how people get into members with rights of their own.
 */
export { type LaptopPage, openLaptopPage } from './laptop.ts'
export { type FleetMember, type MemberFlags, membersOf } from './members.ts'
export { runDashboard } from './run.ts'
