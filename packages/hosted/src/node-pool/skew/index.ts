/**
 * Versions of pools against those of their control plane. What is general about it is in `@windlass/core`.
 *
 * - `gate.ts`: what may be rolled out at all. `advisory.ts`: what is advised against.
 * - `planner.ts`: where pools may be and go now, whom an update of the control plane would leave behind, and in which order to move.
 * - `judge.ts`: whether a pool is where it may be, for people. `new-pool.ts`: the same before a pool is created.
 */
export { type Advice, advisorySkew } from './advisory.ts'
export { type GateRequest, latestSupported, minimumSupported, releaseGate } from './gate.ts'
export { judgePool, plannedFor, type PoolSkew, wantedBy } from './judge.ts'
export { checkNewPool, type ChosenRelease, defaultUpgradeType, type NewPool, type NewPoolVerdict, releaseForNewPool } from './new-pool.ts'
export {
  type ControlPlaneMove,
  leftBehindWarnings,
  planControlPlaneMove,
  poolVersions,
  type PoolWithTarget,
  skewWindows,
} from './planner.ts'
