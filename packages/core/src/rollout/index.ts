/**
 * How an update of a control plane is getting on: its state (`rollout-state.ts`), and what it waits for (`blockers.ts`). Absence is
 * an answer here, never an exception: older operators do not report their version.
 */
export { rolloutBlockers } from './blockers.ts'
export type { Blocker } from './blockers.ts'
export { isControlPlaneAt, isInitialRollout, rolloutState, stalledAfter, updateInProgress } from './rollout-state.ts'
export type { RolloutState, RolloutStatus, RolloutUpdate, UpdateInProgress } from './rollout-state.ts'
