import { badRequest, invalidObject, notFound } from '../errors/api-error.ts'
import { DecodeError } from '../errors/decode-error.ts'
import { invalid } from '../errors/field-error.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { applyJsonPatch, applyMergePatch, applyStrategicPatch } from '../patch/index.ts'
import { encodeJson } from '../wire/index.ts'
import { checkPlace, decodeObject } from './decode.ts'
import type { Served } from './catalog.ts'
import { nameOf, text } from './object-meta.ts'
import { type Repeated, reportProblems } from './problems.ts'
import { fromStored, keyFor } from './stored.ts'
import { replace } from './update.ts'
import { contextOf, type WriteRequest, type Written } from './write-request.ts'

export type PatchKind = 'json' | 'merge' | 'strategic'

export interface Patch {
  readonly kind: PatchKind
  readonly value: Json
  /** As it was sent, for messages. */
  readonly source: string
  readonly repeated: Repeated
}

/**
 * PATCH with anything but apply. It reads, patches and writes in one transaction, so it can never lose against another writer:
 * only a patch that names a resourceVersion can conflict.
 */
export function patch(request: WriteRequest, name: string, change: Patch): Promise<Written> {
  const { scope, served, namespace } = request
  return scope.store.write((transaction) => {
    const entry = transaction.get(keyFor(scope.cluster, served.type, namespace, name))
    if (entry === undefined) throw notFound(served.type, name)
    const old = fromStored(served, entry)
    const decoded = decodePatched(request, change, patched(served, old, change), old)
    return replace(transaction, request, entry, old, checkPlace(served, decoded, namespace, name))
  })
}

export function patched(served: Pick<Served, 'version'>, old: JsonObject, change: Patch): JsonObject {
  if (change.kind === 'json') return applyJsonPatch(old, change.value)
  if (!isObject(change.value)) throw badRequest('json: cannot unmarshal the patch into a map')
  if (change.kind === 'merge') return applyMergePatch(old, change.value)
  return applyStrategicPatch(old, change.value, served.version.schema)
}

/** A patched object is decoded like one that was sent, but what is wrong with it is wrong with the patch. */
function decodePatched(request: WriteRequest, change: Patch, object: JsonObject, old: JsonObject): JsonObject {
  const { served } = request
  const refuse = (why: string): Error => invalidObject({ group: '', kind: '' }, '', [invalid('patch', change.source, why)])
  checkIdentity(served, object, refuse)
  try {
    const { object: decoded, unknown } = decodeObject(served, object, contextOf(request), old)
    reportProblems(request, change.repeated, unknown, refuse)
    return decoded
  } catch (error) {
    throw error instanceof DecodeError ? refuse(error.message) : error
  }
}

function checkIdentity(served: Served, object: JsonObject, refuse: (why: string) => Error): void {
  const { type, apiVersion } = served
  const kind = text(object.kind)
  const given = text(object.apiVersion)
  if (given === apiVersion && kind === type.kind) return
  if (kind === '') throw refuse(`Object 'Kind' is missing in '${encodeJson(object).toString('utf8')}'`)
  const errors = []
  if (given !== apiVersion) errors.push(invalid('apiVersion', given, `must be ${apiVersion}`))
  if (kind !== type.kind) errors.push(invalid('kind', kind, `must be ${type.kind}`))
  throw invalidObject({ group: given.includes('/') ? (given.split('/')[0] ?? '') : '', kind }, nameOf(object), errors)
}
