/**
 * Who owns which field: server-side apply and `metadata.managedFields`.
 *
 *   fields.ts          sets of fields, in the form in which they are stored
 *   path-element.ts    names of fields and list elements
 *   field-type.ts      what a schema says about ownership: atomic or not, list keys
 *   compare.ts         what a write changed, as sets of fields
 *   field-set.ts       what a configuration names, as a set of fields
 *   merge.ts, remove.ts, prune.ts    building the object that an apply leads to
 *   check.ts, conflicts.ts           why an apply is refused
 *   entries.ts         managedFields entries: reading, folding, sorting, writing
 *   ownership.ts       what updates and applies have in common
 *   update.ts, apply.ts, scale.ts    the three ways in
 *   last-applied.ts    kubectl's way over from client-side apply
 *   empty-objects.ts   sections that built-in kinds always have
 */
export { applyConfiguration, kindText, type ApplyContext } from './apply.ts'
export type { OwnershipContext } from './ownership.ts'
export { fromScaleEntries, scaleApiVersion, scaleSchema, toScaleEntries, type ReplicasPath } from './scale.ts'
export { trackUpdate, withoutIdleTimes } from './update.ts'
