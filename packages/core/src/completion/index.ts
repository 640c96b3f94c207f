/**
 * When an update of a control plane is complete. `component.ts`: whether one component has got there, and what it lacks;
 * `completion.ts`: whether all of them have.
 */
export { shortfallOf } from './component.ts'
export type { ComponentReport, ReportedCondition, RolloutTarget, Shortfall } from './component.ts'
export { isComplete, missingComponents } from './completion.ts'
