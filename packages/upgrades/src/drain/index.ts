/**
 * Helping nodes to drain.
 *
 * - `strategies.ts`: the six ways, in their order, and how long each waits. `pods.ts`: which pods they may touch.
 * - `drain.ts`: what is due on a node now, and whether its drain has failed.
 * - `notice.ts`: telling the owners of pods that a budget protects.
 */
export { type Drain, type DrainingNode, executeStrategies, hasDrainFailed } from './drain.ts'
export { withDelayNotice } from './notice.ts'
export { protectedBy } from './pods.ts'
export { strategiesFor, type StrategyName, type TimedStrategy } from './strategies.ts'
