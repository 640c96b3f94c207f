import { trackUpdate, withoutIdleTimes } from '../apply/index.ts'
import { ApiError, conflict, invalidObject, notFound } from '../errors/api-error.ts'
import { GoText, invalid } from '../errors/field-error.ts'
import { equalJson, type JsonObject, type MutableObject } from '../json.ts'
import type { Entry, Transaction } from '../storage/store.ts'
import { encodeJson } from '../wire/index.ts'
import { commit } from './commit.ts'
import { createIn } from './create.ts'
import { finalizerWarnings, isBeingDeleted, metadataOf, strings, text, withUniqueOwners } from './object-meta.ts'
import { encodeStored, errorKind, fromStored, isStoredAlready, keyFor, present, toStored } from './stored.ts'
import { validateUpdate } from './validate.ts'
import { admissionOf, contextOf, ownershipOf, type WriteRequest, type Written } from './write-request.ts'

/** How the owners of fields are brought up to date; server-side apply brings its own. */
export type Track = (request: WriteRequest, old: JsonObject, object: JsonObject) => JsonObject

const trackChange: Track = (request, old, object) => trackUpdate(old, object, ownershipOf(request))

/** PUT: the decoded object takes the place of the stored one. */
export function update(request: WriteRequest, name: string, decoded: JsonObject): Promise<Written> {
  const { scope, served, namespace, subresource } = request
  return scope.store.write((transaction) => {
    const entry = transaction.get(keyFor(scope.cluster, served.type, namespace, name))
    if (entry === undefined) {
      if (!served.type.behaviour.allowsCreateOnUpdate || subresource !== '') throw notFound(served.type, name)
      request.authorizeCreate(name)
      const metadata: MutableObject = { ...metadataOf(decoded) }
      delete metadata.resourceVersion
      return createIn(transaction, request, { ...decoded, metadata })
    }
    const old = fromStored(served, entry)
    const uid = text(metadataOf(decoded).uid)
    const actual = text(metadataOf(old).uid)
    if (uid !== '' && uid !== actual) throw wrongUid(request, name, entry.key, uid, actual)
    return replace(transaction, request, entry, old, decoded)
  })
}

/** Puts `next` where `old` was: the part that PUT, every patch and apply share. */
export function replace(
  transaction: Transaction,
  request: WriteRequest,
  entry: Entry,
  old: JsonObject,
  next: JsonObject,
  track: Track = trackChange,
): Written {
  const { scope, served } = request
  const { type } = served
  const name = text(metadataOf(old).name)
  checkRevision(request, entry, name, text(metadataOf(next).resourceVersion))
  const context = contextOf(request)
  const admission = admissionOf(request, 'UPDATE', name)
  const admitted = scope.admission.mutate({ ...admission, object: next, old })
  // Ownership first: it counts what the client meant to change, and what the server itself fills in belongs to nobody.
  const prepared = prepare(request, track(request, old, withUniqueOwners(admitted, request.warn)), old)
  const hooked = type.behaviour.prepareForUpdate?.(prepared, old, context) ?? prepared
  const object = withoutIdleTimes(old, withGeneration(request, hooked, old))
  const { errors, warnings } = validateUpdate(served, object, old, context)
  if (errors.length > 0) throw invalidObject(errorKind(type), name, errors)
  scope.admission.validate({ ...admission, object, old })
  for (const warning of warnings) request.warn(warning)
  for (const warning of type.behaviour.warnings?.(object, old) ?? []) request.warn(warning)
  if (type.isCustom) for (const warning of finalizerWarnings(object, old)) request.warn(warning)

  if (equalJson(object, old) && isStoredAlready(served, object, entry)) return { status: 200, bytes: present(served, entry) }
  if (request.options.dryRun) return { status: 200, bytes: encodeJson(object) }
  if (isFinished(request, object, old)) {
    // What was stored last, as on real servers: this update, and the finalizer's end with it, was never written.
    const stored = toStored(served, old)
    transaction.delete(entry.key, (revision) => encodeStored(stored, revision))
    return { status: 200, bytes: encodeJson(object) }
  }
  return { status: 200, bytes: commit(transaction, request, entry.key, object) }
}

/** Optimistic concurrency: a client that names a revision writes only over that one. */
function checkRevision(request: WriteRequest, entry: Entry, name: string, given: string): void {
  const { type } = request.served
  if (given === '' || given === '0') {
    if (type.behaviour.allowsUnconditionalUpdate) return
    const error = invalid('metadata.resourceVersion', new GoText('0x0'), 'must be specified for an update')
    throw invalidObject({ group: type.group, kind: type.resource }, name, [error])
  }
  if (!/^\d+$/.test(given)) throw new ApiError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(given)}: invalid syntax`)
  if (given !== String(entry.revision)) {
    throw conflict(type, name, 'the object has been modified; please apply your changes to the latest version and try again')
  }
}

function wrongUid(request: WriteRequest, name: string, key: string, given: string, actual: string): ApiError {
  const why =
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
    `Precondition failed: UID in precondition: ${given}, UID in object meta: ${actual}`
  return conflict(request.served.type, name, why)
}

/** Puts back what this request may not change. */
function prepare(request: WriteRequest, next: JsonObject, old: JsonObject): JsonObject {
  const { served, subresource } = request
  const before = metadataOf(old)
  const metadata: MutableObject = { ...metadataOf(next) }
  delete metadata.selfLink
  for (const field of ['creationTimestamp', 'generation', 'resourceVersion']) keep(metadata, before, field)
  if (isBeingDeleted(old)) for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds']) keep(metadata, before, field)
  if (text(metadata.uid) === '') keep(metadata, before, 'uid')
  if (!served.type.isCustom) return { ...next, metadata }
  if (subresource === 'status') {
    const kept: MutableObject = { ...before }
    if (metadata.managedFields === undefined) delete kept.managedFields
    else kept.managedFields = metadata.managedFields
    const object: MutableObject = { ...old, metadata: kept }
    if (next.status === undefined) delete object.status
    else object.status = next.status
    return object
  }
  if (!served.version.hasStatus) return { ...next, metadata }
  const object: MutableObject = { ...next, metadata }
  if (old.status === undefined) delete object.status
  else object.status = old.status
  return object
}

function keep(metadata: MutableObject, before: JsonObject, field: string): void {
  if (before[field] === undefined) delete metadata[field]
  else metadata[field] = before[field]
}

/** One more than before when anything but metadata (and status, where it has a URL of its own) has changed. */
function withGeneration(request: WriteRequest, object: JsonObject, old: JsonObject): JsonObject {
  const { type, version } = request.served
  if (!type.behaviour.hasGeneration) return object
  const free = new Set(['metadata', 'apiVersion', 'kind', ...(type.behaviour.withoutGeneration ?? (version.hasStatus ? ['status'] : []))])
  const fields = new Set([...Object.keys(object), ...Object.keys(old)])
  const isChanged =
    [...fields].some((field) => !free.has(field) && !equalJson(object[field], old[field])) ||
    (type.behaviour.annotationsRaiseGeneration === true && !equalJson(metadataOf(object).annotations, metadataOf(old).annotations))
  if (!isChanged) return object
  const generation = metadataOf(old).generation
  return { ...object, metadata: { ...metadataOf(object), generation: (typeof generation === 'number' ? generation : 0) + 1 } }
}

/** The last thing that kept a deleted object alive is gone. */
function isFinished(request: WriteRequest, object: JsonObject, old: JsonObject): boolean {
  const before = metadataOf(old)
  if (!isBeingDeleted(old) || strings(metadataOf(object).finalizers).length > 0) return false
  const grace = before.deletionGracePeriodSeconds
  return (grace === undefined || grace === 0) && request.served.type.behaviour.isHeld?.(object) !== true
}
