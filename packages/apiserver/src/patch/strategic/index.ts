/**
 * Strategic merge patch: a merge patch that knows the lists of the built-in kinds.
 *
 *   patch.ts         objects: members, `$patch`, `$retainKeys`
 *   lists.ts         lists: merge by key or as sets, `$deleteFromPrimitiveList`, `$setElementOrder`
 *   directives.ts    the `$` members, and taking them out of what is stored
 *   types.ts         is the result still an object of the kind?
 *
 * Which lists merge is written in the kind's schema: `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`.
 */
export { applyStrategicPatch } from './patch.ts'
