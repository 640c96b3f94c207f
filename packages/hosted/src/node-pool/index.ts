/**
 * Node pools: the machines of hosted clusters, their configuration and their upgrades. Pure rules; who reads, looks up releases and writes is elsewhere.
 *
 * `decide.ts` is one pass over a pool: judge it (`conditions/`), write the Secrets that machines start with (`token/`), and have machines made from
 * what the pool asks for (`rollout.ts`, `machines/`, `templates/`). Or take it down: `deletion.ts`. `pass.ts` gathers what that comes to.
 *
 * - `observed.ts`: what a pass looks at; `seen.ts`: what follows from it; `target.ts`: what nodes are to become. `settings.ts`: what an operator may choose.
 * - `config/`: what nodes are made from, and the hashes that tell when it changes.
 * - `skew/`: which versions a pool may have, and in which order a cluster and its pools move.
 * - `in-place/`: upgrades of nodes that stay. `tuning/`: what goes to the tuning operator. `status/`: what nodes run.
 * - `wire.ts`, `names.ts`, `hash.ts`: names on the wire, and how they are made.
 */
export { healthyConditions, unhealthyConditions } from './conditions/index.ts'
export { decideNodePool, type Drawn, type NodePoolPlan } from './decide.ts'
export { decideUpgrade, drainRequestOf, type ObservedMachineSet, type UpgraderPlan } from './in-place/index.ts'
export { decideNode, type ObservedNode, type RolloutBounds, rolloutBounds } from './machines/index.ts'
export { poolKeyOf, resourcesNameOf } from './names.ts'
export type { ObservedNodePool } from './observed.ts'
export { expectedHashOf } from './seen.ts'
export { defaultSettings, isInScope, NodePoolMode, type NodePoolSettings } from './settings.ts'
export {
  checkNewPool,
  type ControlPlaneMove,
  defaultUpgradeType,
  leftBehindWarnings,
  planControlPlaneMove,
  poolVersions,
  releaseForNewPool,
  skewWindows,
} from './skew/index.ts'
export { type MachineTemplate, templateKinds } from './templates/index.ts'
export {
  answerIgnition,
  applyToStore,
  concludePayload,
  decideSecret,
  decideToken,
  isPoolSecret,
  type ObservedSecret,
  PayloadStore,
  tokensOf,
} from './token/index.ts'
export * as nodePoolWire from './wire.ts'
