/**
 * HostedControlPlanes: what they say about themselves, and how they go. Pure rules; who reads and writes is elsewhere.
 *
 * - `conditions.ts`: all conditions of one look. `health.ts` judges the parts, `availability.ts` the whole.
 * - `deletion.ts`: what is cleaned up before a control plane goes.
 */
export { availability, type AvailabilityFacts } from './availability.ts'
export { controlPlaneHealth, type ControlPlaneHealth, type ObservedHealth } from './conditions.ts'
export { decideControlPlaneDeletion, type ObservedControlPlaneDeletion, type SecurityGroupDeletion } from './deletion.ts'
export * from './health.ts'
