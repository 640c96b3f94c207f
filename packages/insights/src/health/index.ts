/**
 * Health insights: what is wrong with an update, since when, what it means and what to do.
 *
 * - `observation.ts`: what the controllers of progress insights observe. `stages.ts`: what becomes worse with time. `gate.ts`: whether it matters now.
 * - `decide.ts`: makes the insights of an object say what was observed. `managers.ts`: whose they are. `name.ts`: what they are called.
 * - `references.ts`: where it is written what to do. `controller.ts`: how controllers find them and hear of them.
 */
export { gateWatches, healthInsights, healthOf, isInProgress, watchingHealth } from './controller.ts'
export { decideHealth, withoutHealth } from './decide.ts'
export { hasOutdatedNodes, isControlPlaneUpdating, isUpdateInProgress } from './gate.ts'
export type { Manager } from './managers.ts'
export { healthInsightName } from './name.ts'
export { type Observation, type Observations, orNoMessage, type ResourceReference, type ScopeType, withReason } from './observation.ts'
export { references } from './references.ts'
export { atOnce, earliest, stageAt } from './stages.ts'
