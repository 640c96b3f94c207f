/**
 * A managed upgrade: what it would do (`plan.ts`, `expected-time.ts`), how it goes (`timeline.ts`), and asking for one or calling it off (`change.ts`). `reading.ts` is what all of that is
 * made from.
 */
export { cancelUpgrade, type CancelView, objectionTo, objectionToCancel, writeUpgrade } from './change.ts'
export { planLines, planUpgrade, type UpgradePlan } from './plan.ts'
export { type ClusterSeen, readCluster, readOperatorConfig, readUpgrade } from './reading.ts'
export { timelineLines } from './timeline.ts'
