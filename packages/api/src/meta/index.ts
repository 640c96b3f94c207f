/**
 * What kinds have in common: metadata (`object-meta.ts`), the three forms of conditions (`conditions.ts`), references to other
 * objects and selectors (`references.ts`).
 */
export { clusterApiConditions, operatorConditions, standardConditions } from './conditions.ts'
export type { KubernetesObject, ObjectMeta, OwnerReference } from './object-meta.ts'
export { labelSelector, localReference, objectReference, renderedReferenceFields, secretKeyReference } from './references.ts'
