/**
 * Kinds that every Kubernetes API has, with the fields that we read or write. A file per API group; `builtin.ts` is what a declaration is.
 */
export { ConfigMap, Namespace, Secret } from './core.ts'
export { Lease } from './coordination.ts'
export { Event, type EventReference } from './events.ts'
