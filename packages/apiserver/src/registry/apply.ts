import { applyConfiguration } from '../apply/index.ts'
import { conflict, notFound } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import { createIn } from './create.ts'
import { checkPlace, decodeObject } from './decode.ts'
import { metadataOf, text } from './object-meta.ts'
import { fromStored, keyFor } from './stored.ts'
import { replace } from './update.ts'
import { contextOf, ownershipOf, type WriteRequest, type Written } from './write-request.ts'

/** Server-side apply: the object comes to be what the applier and all other owners want, or a conflict says who disagrees. */
export function apply(request: WriteRequest, name: string, applied: JsonObject): Promise<Written> {
  const { scope, served, namespace, options } = request
  return scope.store.write((transaction) => {
    const ownership = { ...ownershipOf(request), force: options.force }
    const entry = transaction.get(keyFor(scope.cluster, served.type, namespace, name))
    const live = entry === undefined ? undefined : fromStored(served, entry)
    if (live === undefined) checkCreatable(request, name, applied)
    const merged = applyConfiguration(live, applied, ownership)
    const { object } = decodeObject(served, merged, contextOf(request))
    const placed = checkPlace(served, object, namespace, name)
    // Ownership is settled by the merge itself.
    if (entry === undefined || live === undefined) return createIn(transaction, request, placed, (_request, created) => created)
    return replace(transaction, request, entry, live, placed, (_request, _old, next) => next)
  })
}

function checkCreatable(request: WriteRequest, name: string, applied: JsonObject): void {
  const { served, subresource } = request
  if (subresource !== '') throw notFound(served.type, name)
  const uid = text(metadataOf(applied).uid)
  if (uid !== '') throw conflict(served.type, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`)
}
