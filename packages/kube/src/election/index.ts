/**
 * Which of several processes leads.
 *
 * - `decide.ts`: what to do about a lease, as a table. `timing.ts`: how long things take.
 * - `elector.ts`: gets the lease, keeps it while something is led, gives it up.
 * - `lease-hold.ts`: looks at the lease and writes it. `term.ts`: leadership that ends when it is not renewed. `lease-watch.ts`: notices at once
 *   that somebody has renewed it or given it up.
 * - `errors.ts`: what what is led is told when it must stop.
 */
export { LeaderElector, type LeaderElectorOptions } from './elector.ts'
export { LeadershipLost, StillRunning } from './errors.ts'
export type { LeaseClient } from './lease-hold.ts'
export { type ElectionTiming, usualTiming } from './timing.ts'
