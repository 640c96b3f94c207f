/** How an upgrade went and goes, step by step, from what its UpgradeConfig remembers. One hand for the command line and the web page. */
export { timelineOf, type TimelineStep, type UpgradeTimeline } from './timeline.ts'
