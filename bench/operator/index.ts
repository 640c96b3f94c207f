/**
 * An operator in a process of its own, as users would write one with the toolkit, and what it is held against.
 *
 * - `jobs.ts`: what it can be asked for. `process.ts`: the process. `controller.ts`: the controller that runs in it.
 * - `pausable-transport.ts`: cuts its watches, so that changes pile up. `feed.ts`: changes without a network.
 * - `strain.ts`, `heap.ts`, `tally.ts`: what is measured in there.
 *
 * The bare one, `../baselines/bare-follower.ts`, has a Map and JSON.parse.
 */
import { join } from 'node:path'
import { JobProcess } from '../job-process.ts'
import type { FollowerJobs, OperatorJobs } from './jobs.ts'

export type { FollowerJobs, Following, OperatorJobs } from './jobs.ts'
export type { Strain } from './strain.ts'

export type Follower = JobProcess<FollowerJobs>

export function startOperator(nodeArguments: readonly string[] = []): JobProcess<OperatorJobs> {
  return new JobProcess<OperatorJobs>(join(import.meta.dirname, 'process.ts'), ['--expose-gc', ...nodeArguments])
}

export function startBareFollower(): Follower {
  return new JobProcess<FollowerJobs>(join(import.meta.dirname, '../baselines/bare-follower.ts'), ['--expose-gc'])
}
