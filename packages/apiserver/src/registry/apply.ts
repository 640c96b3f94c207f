import { applyConfiguration } from '../apply/index.ts'
import { conflict, invalidObject, notFound } from '../errors/api-error.ts'
import { DecodeError } from '../errors/decode-error.ts'
import type { Json, JsonObject } from '../json.ts'
import { createIn } from './create.ts'
import { cannotBeHandled, checkPlace, decodeObject } from './decode.ts'
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
    checkPlace(served, applied, namespace, name)
    const merged = applyConfiguration(live, applied, ownership)
    checkNulls(request, name, merged)
    const object = decodeMerged(request, merged)
    const placed = checkPlace(served, object, namespace, name)
    // Ownership is settled by the merge itself.
    if (entry === undefined || live === undefined) return createIn(transaction, request, placed, (_request, created) => created)
    return replace(transaction, request, entry, live, placed, (_request, _old, next) => next)
  })
}

/** A null that is sent means "nothing"; one that is applied is a value, and most schemas allow none. */
function checkNulls({ served }: WriteRequest, name: string, merged: JsonObject): void {
  if (!served.type.isCustom || !hasNull(merged)) return
  const { errors } = served.schema.validate(served.schema.prune(merged))
  if (errors.length > 0) throw invalidObject(served.type, name, errors)
}

function hasNull(value: Json): boolean {
  if (typeof value !== 'object') return false
  if (value === null) return true
  return Object.values(value).some(hasNull)
}

/** What the schema of ownership lets pass may still be no value of the kind: a fraction for a count, a word for a time. */
function decodeMerged(request: WriteRequest, merged: JsonObject): JsonObject {
  try {
    return decodeObject(request.served, merged, contextOf(request)).object
  } catch (error) {
    throw error instanceof DecodeError ? cannotBeHandled(request.served, error.message) : error
  }
}

function checkCreatable(request: WriteRequest, name: string, applied: JsonObject): void {
  const { served, subresource } = request
  if (subresource !== '') throw notFound(served.type, name)
  request.authorizeCreate(name)
  const uid = text(metadataOf(applied).uid)
  if (uid !== '')
    throw conflict(served.type, name, `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`)
}
