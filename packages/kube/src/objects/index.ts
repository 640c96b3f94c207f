/**
 * What controllers need around objects. Everything that makes an object makes a new one, which shares with the old what did not change.
 *
 * - `refs.ts`: names of objects, as values and as text. `owners.ts`: who owns an object. `finalizers.ts`: plans that hold an object and let it go.
 * - `equal.ts`, `set-in.ts`, `merge-patch.ts`: comparing and changing JSON. `ensure-patch.ts`: what a draft asks for and an object lacks.
 * - `label-selector.ts`: which objects are meant. `eviction.ts`: Pods that leave a node.
 * - `create-or-patch.ts`, `patch-status.ts`, `retry-on-conflict.ts`: writes for code that cannot say what it wants as a plan.
 */
export { createOrPatch, type CreateOrPatchOptions, type CreateOrPatchResult } from './create-or-patch.ts'
export { ensurePatch } from './ensure-patch.ts'
export { equalJson } from './equal.ts'
export { evict, hasToLeave } from './eviction.ts'
export { ensureFinalizer, withoutFinalizer } from './finalizers.ts'
export { isMet, selects } from './label-selector.ts'
export { mergePatchBetween } from './merge-patch.ts'
export { controllerOf, isOwnedBy, setControllerReference } from './owners.ts'
export { patchStatus, type PatchStatusOptions } from './patch-status.ts'
export { describeRef, keyOf, parseKey, refOf } from './refs.ts'
export { retryOnConflict, type RetryOptions } from './retry-on-conflict.ts'
export { setIn, type ValueAt } from './set-in.ts'
