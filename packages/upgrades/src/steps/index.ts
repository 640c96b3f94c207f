/**
 * The steps of an upgrade. Every pass runs them again from the first; each finds out by itself whether it is done.
 *
 * - `step.ts`: what a step is. One file per step or pair of steps: what it looks at, what it wants done, how it ended.
 * - `upgraders.ts`: their order. `record.ts`: how they leave marks in the history. `failure-policy.ts`: giving up.
 * - `run.ts`: a pass. All of it that touches the world is behind `Hands`.
 */
export { decideFailure, isWindowMissed, withFailure } from './failure-policy.ts'
export { FileIntegrity, fileIntegrityRef } from './fedramp-tasks.ts'
export { checkHealth } from './pre-upgrade-health-check.ts'
export { withStepBegun, withStepEnded } from './record.ts'
export { type Hands, runUpgrade, type RunResult, settle } from './run.ts'
export type { Outcome, Pass, Step, Verdict } from './step.ts'
export { type Upgrader, upgraderFor } from './upgraders.ts'
