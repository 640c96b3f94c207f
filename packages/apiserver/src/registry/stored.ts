import { isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import { namespacePrefix, objectKey, resourcePrefix } from '../storage/keys.ts'
import type { Entry } from '../storage/store.ts'
import { decodeJson, encodeJson } from '../wire/index.ts'
import { groupVersion, type Served } from './catalog.ts'
import type { ResourceType } from './resource.ts'

/**
 * Between the object a client sees and the bytes that are stored: one version is stored, every served version is shown.
 *
 * Stored bytes begin with `{"apiVersion":…,"kind":…,` so that lists of built-in kinds, whose items carry neither, can cut them off.
 */

export function storageOf(type: ResourceType): { readonly group: string; readonly resource: string } {
  return type.storedAs ?? type
}

export function keyFor(cluster: string, type: ResourceType, namespace: string, name: string): string {
  const { group, resource } = storageOf(type)
  return objectKey({ cluster, group, resource, namespace: type.namespaced ? namespace : '', name })
}

export function prefixFor(cluster: string, type: ResourceType, namespace: string): string {
  const { group, resource } = storageOf(type)
  return type.namespaced && namespace !== '' ? namespacePrefix(cluster, group, resource, namespace) : resourcePrefix(cluster, group, resource)
}

export function parseStored(bytes: Buffer): JsonObject {
  const { value } = decodeJson(bytes)
  if (!isObject(value)) throw new TypeError('a stored object is no JSON object')
  return value
}

/** Whether stored bytes can be shown as they are. */
export function isVerbatim(served: Served, entry: Pick<Entry, 'revision'>): boolean {
  const { type, version } = served
  return version.name === type.storageVersion && type.storedAs === undefined && entry.revision >= served.since
}

/** The object in the version that `served` names. */
export function fromStored(served: Served, entry: Entry): JsonObject {
  return isVerbatim(served, entry) ? parseStored(entry.bytes) : translate(served, parseStored(entry.bytes))
}

/** A stored object, already parsed, in the version that `served` names: converted, pruned and defaulted as its schema says now. */
export function translate(served: Served, stored: JsonObject): JsonObject {
  const { type } = served
  const object = type.storedAs === undefined ? stored : type.storedAs.fromStored(stored)
  const named = object.apiVersion === served.apiVersion ? object : { ...object, apiVersion: served.apiVersion }
  return type.isCustom ? served.schema.applyDefaults(served.schema.prune(named)) : named
}

/** The object as it is stored. */
export function toStored(served: Served, object: JsonObject): JsonObject {
  const { type } = served
  if (type.storedAs !== undefined) return type.storedAs.toStored(object)
  const apiVersion = groupVersion(type.group, type.storageVersion)
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion }
}

/** The bytes that clients of `served` see. */
export function present(served: Served, entry: Entry): Buffer {
  return isVerbatim(served, entry) ? entry.bytes : encodeJson(ordered(translate(served, parseStored(entry.bytes))))
}

/** Encodes for storage, with the revision inside. */
export function encodeStored(object: JsonObject, revision: number): Buffer {
  return encodeJson(withRevision(object, revision))
}

export function withRevision(object: JsonObject, revision: number): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  return ordered({ ...object, metadata: { ...metadata, resourceVersion: String(revision) } })
}

/** `apiVersion`, `kind`, `metadata` first: people expect it, and lists rely on it. */
function ordered(object: JsonObject): JsonObject {
  const head: MutableObject = { apiVersion: object.apiVersion ?? '', kind: object.kind ?? '', metadata: object.metadata ?? {} }
  return { ...head, ...object, ...head }
}

/** How many bytes of a stored object are `"apiVersion":…,"kind":…,` behind its opening brace. */
export function typeMetaLength(apiVersion: string, kind: string): number {
  return Buffer.byteLength(`"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`)
}

/** Entries in the secondary index: who depends on which owner, and what expires when. */
export function indexesOf(cluster: string, object: JsonObject, expires: number | undefined): readonly string[] {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const owners: Json = metadata.ownerReferences ?? []
  const entries = Array.isArray(owners)
    ? owners.flatMap((owner) => (isObject(owner) && typeof owner.uid === 'string' ? [ownerIndex(cluster, owner.uid)] : []))
    : []
  if (expires !== undefined) entries.push(expiryIndex(expires))
  return entries
}

export function ownerIndex(cluster: string, uid: string): string {
  return `owner/${cluster}/${uid}`
}

/** Sorts by time as text. */
export function expiryIndex(at: number): string {
  return `expires/${String(at).padStart(15, '0')}`
}
