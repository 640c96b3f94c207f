/**
 * Node pools: the machines of hosted clusters, their configuration and their upgrades.
 *
 * `controllers.ts` has all of their controllers, ready for an operator; the first of them is `controller.ts`, which reads (`observe.ts`, `caches.ts`, `boot-image.ts`)
 * and writes, `watches.ts` says when. `guests.ts`: the Nodes of guests. The rest are pure rules.
 *
 * `decide.ts` is one pass over a pool: judge it (`conditions/`), write the Secrets that machines start with (`token/`), and have machines made from
 * what the pool asks for (`rollout.ts`, `machines/`, `templates/`). Or take it down: `deletion.ts`. `pass.ts` gathers what that comes to.
 *
 * - `observed.ts`: what a pass looks at; `seen.ts`: what follows from it; `target.ts`: what nodes are to become. `settings.ts`: what an operator may choose;
 *   `scope.ts`: whose pools they are.
 * - `config/`: what nodes are made from, and the hashes that tell when it changes.
 * - `skew/`: which versions a pool may have, and in which order a cluster and its pools move.
 * - `metrics/`: what is counted.
 * - `in-place/`: upgrades of nodes that stay. `tuning/`: what goes to the tuning operator. `status/`: what nodes run.
 * - `wire.ts`, `names.ts`, `hash.ts`: names on the wire, and how they are made.
 * - `simulation/`: whole stories of pools and simulated machines, for tests.
 */
export { releaseBootImage } from './boot-image.ts'
export { healthyConditions, unhealthyConditions } from './conditions/index.ts'
export { nodePoolControllers, type NodePoolControllersOptions } from './controllers.ts'
export { decideNodePool, type Drawn, type NodePoolPlan } from './decide.ts'
export { discoverTemplateKinds } from './discovery.ts'
export { decideUpgrade, drainRequestOf, type ObservedMachineSet, type UpgraderPlan } from './in-place/index.ts'
export { decideNode, type ObservedNode, type RolloutBounds, rolloutBounds } from './machines/index.ts'
export { nodePoolFamilies, noNodePoolMetrics, type NodePoolMetrics, nodePoolMetrics } from './metrics/index.ts'
export { poolKeyOf, resourcesNameOf } from './names.ts'
export type { NodePoolSources } from './observe.ts'
export type { InstanceCapacity, InstanceOffer, ObservedNodePool } from './observed.ts'
export { expectedHashOf } from './seen.ts'
export { defaultSettings, isInScope, NodePoolMode, type NodePoolSettings } from './settings.ts'
export {
  checkNewPool,
  type ControlPlaneMove,
  defaultUpgradeType,
  judgePool,
  leftBehindWarnings,
  planControlPlaneMove,
  plannedFor,
  type PoolSkew,
  poolVersions,
  releaseForNewPool,
  skewWindows,
  wantedBy,
} from './skew/index.ts'
export { type MachineTemplate, templateKinds } from './templates/index.ts'
export {
  answerIgnition,
  applyToStore,
  concludePayload,
  decideSecret,
  decideToken,
  ignitionServer,
  type IgnitionServer,
  type IgnitionServerOptions,
  IgnitionService,
  isPoolSecret,
  mergedPayload,
  type ObservedSecret,
  type PayloadGenerator,
  type PayloadRequest,
  PayloadStore,
  tokensOf,
} from './token/index.ts'
export * as nodePoolWire from './wire.ts'
