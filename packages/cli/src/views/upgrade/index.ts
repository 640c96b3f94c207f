/**
 * A managed upgrade: what it would do (`plan.ts`), how it goes (`timeline.ts`), and asking for one or calling it off (`change.ts`). `reading.ts` is what all of that is
 * made from.
 */
export { cancelUpgrade, objectionTo, objectionToCancel, writeUpgrade } from './change.ts'
export { planLines, planUpgrade, type UpgradePlan } from './plan.ts'
export { type ClusterSeen, readCluster, readUpgrade } from './reading.ts'
export { timelineLines, timelineOf, type UpgradeTimeline } from './timeline.ts'
