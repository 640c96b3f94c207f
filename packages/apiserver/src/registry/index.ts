/**
 * Create, read, update, patch and delete of one resource: the rules that every object obeys, whatever its kind.
 *
 * - `resource.ts`: what a kind is, as data. `catalog.ts`: the kinds of one logical cluster, in every version that is served.
 * - `write-request.ts`: a write on its way; `decode.ts` makes an object of what was sent, `problems.ts` says what was unknown in it.
 * - `create.ts`, `update.ts`, `patch.ts`, `apply.ts`, `scale.ts`, `remove.ts`: one file per way to write; all end in `commit.ts`.
 * - `object-meta.ts`, `names.ts`, `validate.ts`: what may be wrong with an object. `admission.ts`: who else has a say.
 * - `read.ts`: gets and lists at a revision, page by page, with `selection.ts`, `continue-token.ts` and `revision.ts`.
 * - `options.ts`, `list-options.ts`: what queries ask for.
 * - `stored.ts`: between the object that clients see and the bytes that are kept.
 */
export { AdmissionChain } from './admission.ts'
export type { AdmissionPlugin, AdmissionRequest, AdmissionUser } from './admission.ts'
export { Catalog, groupVersion } from './catalog.ts'
export type { Served } from './catalog.ts'
export { create } from './create.ts'
export { get, list } from './read.ts'
export { remove } from './remove.ts'
export type { Behaviour, ResourceType, ResourceVersion, WriteContext } from './resource.ts'
export { fromStored, keyFor, parseStored, prefixFor } from './stored.ts'
export { update } from './update.ts'
export type { Scope, WriteRequest, Written } from './write-request.ts'
