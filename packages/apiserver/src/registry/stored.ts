import { equalJson, isObject, type JsonObject } from '../json.ts'
import { namespacePrefix, objectKey, resourcePrefix } from '../storage/keys.ts'
import type { Entry } from '../storage/store.ts'
import { decodeOwnJson, encodeJson } from '../wire/index.ts'
import { groupVersion, type Served } from './catalog.ts'
import type { ResourceType } from './resource.ts'

/**
 * Between the object a client sees and the bytes that are stored: one version is stored, every served version is shown.
 *
 * Stored bytes of built-in kinds begin with `{"kind":…,"apiVersion":…,` so that lists, whose items carry neither, can cut them off.
 */

export function storageOf(type: ResourceType): { readonly group: string; readonly resource: string } {
  return type.storedAs ?? type
}

/** What errors call the kind: objects that are stored as another kind are judged as that one. */
export function errorKind(type: ResourceType): { readonly group: string; readonly kind: string } {
  return { group: storageOf(type).group, kind: type.kind }
}

export function keyFor(cluster: string, type: ResourceType, namespace: string, name: string): string {
  const { group, resource } = storageOf(type)
  return objectKey({ cluster, group, resource, namespace: type.namespaced ? namespace : '', name })
}

export function prefixFor(cluster: string, type: ResourceType, namespace: string): string {
  const { group, resource } = storageOf(type)
  return type.namespaced && namespace !== ''
    ? namespacePrefix(cluster, group, resource, namespace)
    : resourcePrefix(cluster, group, resource)
}

export function parseStored(bytes: Buffer): JsonObject {
  const value = decodeOwnJson(bytes)
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

/** The object as it is stored: in the stored version, complete as its schema wants it, what everybody has in front. */
export function toStored(served: Served, object: JsonObject): JsonObject {
  const { type, version } = served
  if (type.storedAs !== undefined) return ordered(type.storedAs.toStored(object), false)
  if (version.name === type.storageVersion) return ordered(object, type.isCustom)
  const converted = convertToStorage(served, object)
  return ordered(type.isCustom ? served.storageSchema.applyDefaults(converted) : converted, type.isCustom)
}

function convertToStorage({ type, storageSchema }: Served, object: JsonObject): JsonObject {
  const converted = { ...object, apiVersion: groupVersion(type.group, type.storageVersion) }
  return type.isCustom ? storageSchema.prune(converted) : converted
}

/** Whether a write in another version than the stored one would leave the stored object as it is. */
export function isStoredAlready(served: Served, object: JsonObject, entry: Entry): boolean {
  if (served.version.name === served.type.storageVersion || served.type.storedAs !== undefined) return true
  return equalJson(convertToStorage(served, object), parseStored(entry.bytes))
}

/** The bytes that clients of `served` see. */
export function present(served: Served, entry: Entry): Buffer {
  return isVerbatim(served, entry) ? entry.bytes : encodeJson(translate(served, parseStored(entry.bytes)))
}

/** Encodes for storage, with the revision inside. */
export function encodeStored(object: JsonObject, revision: number): Buffer {
  return encodeJson(withRevision(object, revision))
}

export function withRevision(object: JsonObject, revision: number): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } }
}

/** Kind, version and metadata first: people expect it, and lists rely on it. Built-in kinds begin with `kind`, custom ones do not. */
function ordered(object: JsonObject, isCustom: boolean): JsonObject {
  const { apiVersion = '', kind = '', metadata = {}, ...rest } = object
  return isCustom ? { apiVersion, kind, metadata, ...rest } : { kind, apiVersion, metadata, ...rest }
}

/** How many bytes of a stored object of a built-in kind are `"kind":…,"apiVersion":…,` behind its opening brace. */
export function typeMetaLength(apiVersion: string, kind: string): number {
  return Buffer.byteLength(`"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`)
}

/** Entries in the secondary index: who depends on which owner, what the garbage collector has to finish, and what expires when. */
export function indexesOf(cluster: string, object: JsonObject, expires: number | undefined): readonly string[] {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const { ownerReferences: owners = [], finalizers = [] } = metadata
  const entries = Array.isArray(owners)
    ? owners.flatMap((owner) => (isObject(owner) && typeof owner.uid === 'string' ? [ownerIndex(cluster, owner.uid)] : []))
    : []
  const isCollected = metadata.deletionTimestamp !== undefined && Array.isArray(finalizers)
  if (isCollected && collected.some((name) => finalizers.includes(name))) entries.push(`${collectedIndex}${cluster}`)
  if (expires !== undefined) entries.push(expiryIndex(expires))
  return entries
}

/** Finalizers that the garbage collector removes. */
const collected = ['orphan', 'foregroundDeletion']

/** Objects that wait for the garbage collector are filed under this and their cluster. */
export const collectedIndex = 'collected/'

export function ownerIndex(cluster: string, uid: string): string {
  return `owner/${cluster}/${uid}/`
}

/** Sorts by time as text, hence whole milliseconds: virtual clocks may be in between. */
export function expiryIndex(at: number): string {
  return `expires/${String(Math.ceil(at)).padStart(15, '0')}`
}
