/**
 * For tests of components.
 *
 * - `observation.ts`: what a pass sees: `anObservation({ components: doneAt('4.19.6', 'etcd') })`.
 * - `control-planes.ts`: control planes of every sort, one by one and at random.
 * - `conclusions.ts`: what is decided, and what the status says afterwards, in few words.
 */
export { concluded, created, decide, decideApplied, describeAction, noon } from './conclusions.ts'
export { aControlPlaneOn, annotated, anyControlPlane, anyFacts } from './control-planes.ts'
export { aNamespaceWith, anObservation, aRelease, doneAt, imageAt, noFacts, withSecrets } from './observation.ts'
export type { ObservationOptions } from './observation.ts'
