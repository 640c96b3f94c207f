/** For tests and benchmarks of what is told about updates: `watched-updates.ts` takes a simulated cluster through several of them, in virtual time, and looks every minute. */
export { definitions, type Sample, type WatchedUpdate, watchUpdates, type WatchOptions } from './watched-updates.ts'
