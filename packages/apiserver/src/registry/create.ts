import { formatTime } from '@windlass/core'
import { trackUpdate } from '../apply/index.ts'
import { alreadyExists, ApiError, forbidden, invalidObject, notFound } from '../errors/api-error.ts'
import type { JsonObject, MutableObject } from '../json.ts'
import { objectKey } from '../storage/keys.ts'
import type { Transaction } from '../storage/store.ts'
import { encodeJson } from '../wire/index.ts'
import { commit } from './commit.ts'
import { finalizerWarnings, isBeingDeleted, metadataOf, nameOf, text, withUniqueOwners } from './object-meta.ts'
import { errorKind, keyFor, parseStored } from './stored.ts'
import { validateCreate } from './validate.ts'
import { admissionOf, contextOf, ownershipOf, type WriteRequest, type Written } from './write-request.ts'

const generatedAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const generatedLength = 5
const longestPrefix = 58
const generateTries = 8

/** POST: stores a decoded object under its name, or under one made from `generateName`. */
export function create(request: WriteRequest, decoded: JsonObject): Promise<Written> {
  return request.scope.store.write((transaction) => createIn(transaction, request, decoded))
}

/** The same inside a transaction: PUT and apply create too, where the kind allows it. */
export function createIn(transaction: Transaction, request: WriteRequest, decoded: JsonObject, track = trackNew): Written {
  const metadata = metadataOf(decoded)
  if (text(metadata.resourceVersion) !== '' && track === trackNew) {
    throw new ApiError(500, '', 'resourceVersion should not be set on objects to be created')
  }
  const generates = text(metadata.name) === '' && text(metadata.generateName) !== ''
  for (let attempt = 1; ; attempt++) {
    const object = generates ? withGeneratedName(request, decoded) : decoded
    try {
      return createNamed(transaction, request, object, track)
    } catch (error) {
      const clash = generates && error instanceof ApiError && error.status.reason === 'AlreadyExists'
      if (!clash || attempt === generateTries) throw error
    }
  }
}

function trackNew(request: WriteRequest, object: JsonObject): JsonObject {
  return trackUpdate(undefined, object, ownershipOf(request))
}

function withGeneratedName(request: WriteRequest, object: JsonObject): JsonObject {
  const { random } = request.scope
  const metadata = metadataOf(object)
  let name = text(metadata.generateName).slice(0, longestPrefix)
  for (let index = 0; index < generatedLength; index++) name += generatedAlphabet.charAt(random.below(generatedAlphabet.length))
  return { ...object, metadata: { ...metadata, name } }
}

function createNamed(transaction: Transaction, request: WriteRequest, decoded: JsonObject, track: typeof trackNew): Written {
  const { scope, served, namespace } = request
  const { type, version } = served
  const name = nameOf(decoded)
  checkNamespace(transaction, request, name)
  const context = contextOf(request)
  const admission = admissionOf(request, 'CREATE', name)
  const admitted = scope.admission.mutate({ ...admission, object: decoded })
  // Ownership first: what the server and the kind's own hook fill in belongs to nobody.
  const tracked = prepare(request, track(request, withUniqueOwners(admitted, request.warn)), version.hasStatus)
  const complete = type.behaviour.prepareForCreate?.(tracked, context) ?? tracked
  const { errors, warnings } = validateCreate(served, complete, context)
  if (errors.length > 0) throw invalidObject(errorKind(type), name, errors)
  scope.admission.validate({ ...admission, object: complete })
  for (const warning of warnings) request.warn(warning)
  for (const warning of type.behaviour.warnings?.(complete, undefined) ?? []) request.warn(warning)
  if (type.isCustom) for (const warning of finalizerWarnings(complete, undefined)) request.warn(warning)
  const key = keyFor(scope.cluster, type, namespace, name)
  const existing = transaction.get(key)
  if (existing !== undefined) throw taken(request, name, parseStored(existing.bytes))
  if (request.options.dryRun) return { status: 201, bytes: encodeJson(complete) }
  return { status: 201, bytes: commit(transaction, request, key, complete) }
}

/** What the server fills in itself, whatever the client sent. */
function prepare(request: WriteRequest, object: JsonObject, dropsStatus: boolean): JsonObject {
  const { scope, served } = request
  const metadata: MutableObject = { ...metadataOf(object) }
  for (const field of ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'resourceVersion', 'generation'])
    delete metadata[field]
  metadata.uid = scope.random.uuid()
  metadata.creationTimestamp = formatTime(scope.clock.now())
  if (served.type.behaviour.hasGeneration) metadata.generation = 1
  const next: MutableObject = { ...object, metadata }
  if (dropsStatus && served.type.isCustom) delete next.status
  return next
}

function taken(request: WriteRequest, name: string, existing: JsonObject): ApiError {
  const error = alreadyExists(request.served.type, name)
  if (!isBeingDeleted(existing)) return error
  return new ApiError(409, 'AlreadyExists', `object is being deleted: ${error.message}`, { details: error.status.details ?? {} })
}

/** By stored bytes, which the store keeps at hand: to read a namespace for each object that is created in it would take as long as writing the object. */
const goingNamespaces = new WeakMap<Buffer, boolean>()

function isGoing(bytes: Buffer): boolean {
  let isSo = goingNamespaces.get(bytes)
  if (isSo === undefined) {
    isSo = isBeingDeleted(parseStored(bytes))
    goingNamespaces.set(bytes, isSo)
  }
  return isSo
}

/** Nothing is created in a namespace that is missing or going. */
function checkNamespace(transaction: Transaction, request: WriteRequest, name: string): void {
  const { scope, served, namespace } = request
  if (!served.type.namespaced) return
  const key = objectKey({ cluster: scope.cluster, group: '', resource: 'namespaces', namespace: '', name: namespace })
  const entry = transaction.get(key)
  if (entry === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
  if (!isGoing(entry.bytes)) return
  const error = forbidden(served.type, name, `unable to create new content in namespace ${namespace} because it is being terminated`)
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' }
  throw new ApiError(403, 'Forbidden', error.message, { details: { ...error.status.details, causes: [cause] } })
}
