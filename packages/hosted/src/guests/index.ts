/**
 * The APIs of hosted clusters.
 *
 * - `guest-access.ts`: what controllers need to know of them. `logical-clusters.ts`: guests that the embedded server serves.
 */
export type { Guest, GuestAccess } from './guest-access.ts'
export { logicalClusterGuests, type LogicalClusterGuestsOptions, madeForAnnotation } from './logical-clusters.ts'
