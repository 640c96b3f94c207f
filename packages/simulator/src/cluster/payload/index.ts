/**
 * What is in a release, and in which order it is applied.
 *
 * - `payload.ts`: what a payload is. `releases.ts`: the one that all simulated releases have, whole and as hosted clusters take it.
 * - `versions.ts`: what operators say when they have got to a release.
 */
export { manifestsDone, type OperatorSort, type Payload, type PayloadOperator, type PayloadStep } from './payload.ts'
export { hostedPayload, largerPayload, selfManagedPayload } from './releases.ts'
export { contentImage, hexOf, type PartVersion, versionsAt } from './versions.ts'
