/**
 * The updates of a control plane: what `status.controlPlaneVersion` says and how it comes about.
 *
 * - `history.ts`: what is written. `next.ts`: what one look at the control plane makes of it; start reading there.
 * - `steps.ts`: what can happen to a history, one function each. `prune.ts`: what is dropped when it grows too long.
 * - `transitions.ts`: what happened between two looks.
 */
export { nextControlPlaneVersion } from './next.ts'
export type { ControlPlaneSeen } from './next.ts'
export { longestHistory, pruneHistory } from './prune.ts'
export { transitionsBetween } from './transitions.ts'
export type { UpdateTransition } from './transitions.ts'
export type { ControlPlaneVersion, SeenControlPlaneVersion, SeenHistoryEntry, HistoryEntry, UpdateHistory, UpdateState } from './history.ts'
