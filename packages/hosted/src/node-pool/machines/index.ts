/**
 * The machines of a pool, in the words of Cluster API.
 *
 * - `machine-deployment.ts` (Replace), `machine-set.ts` (InPlace): what machines are made from; `machine-template.ts` is what they have in common,
 *   `outcome.ts` what a pass has seen of them, `completion.ts` when a rollout is done.
 * - `replicas.ts`, `scale-from-zero.ts`: how many. `health-check.ts`: repair. `pause.ts`: stopping.
 * - `node-metadata.ts`: labels and taints on their way from a pool to its Nodes; `node-metadata-controller.ts` takes them there.
 */
export { isMachineDeploymentComplete, isMachineSetComplete, isSettled } from './completion.ts'
export { healthCheckOf, type HealthCheckOutcome, healthCheckOutcome, isIgnitionReached, remediationProblem } from './health-check.ts'
export { machineDeploymentOutcome } from './machine-deployment.ts'
export { machineSetOutcome } from './machine-set.ts'
export { decideNode, machineMetadataActions, managedLabels, type ObservedNode, taintsText } from './node-metadata.ts'
export { nodeMetadata, type NodeMetadataOptions } from './node-metadata-controller.ts'
export type { MachinesOutcome } from './outcome.ts'
export { pauseActions } from './pause.ts'
export { inPlaceMaxUnavailable, type RolloutBounds, rolloutBounds, scaledCount, type Scaling, scalingOf } from './replicas.ts'
export { canScaleFromZero, capacityAnnotations, capacityAnnotationsFor } from './scale-from-zero.ts'
