import { isArray, isObject, type JsonObject } from '../json.ts'
import type { Catalog, Served } from '../registry/catalog.ts'
import { metadataOf, text } from '../registry/object-meta.ts'
import type { ResourceType } from '../registry/resource.ts'

/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly blocksDeletion: boolean
}

export function ownersOf(object: JsonObject): readonly OwnerReference[] {
  const references = metadataOf(object).ownerReferences
  if (!isArray(references)) return []
  return references.filter(isObject).map((reference) => ({
    apiVersion: text(reference.apiVersion),
    kind: text(reference.kind),
    name: text(reference.name),
    uid: text(reference.uid),
    blocksDeletion: reference.blockOwnerDeletion === true,
  }))
}

/** The object without its references to some owners. */
export function withoutOwners(object: JsonObject, uids: ReadonlySet<string>): JsonObject {
  const metadata = metadataOf(object)
  const references = isArray(metadata.ownerReferences) ? metadata.ownerReferences : []
  const kept = references.filter((reference) => !isObject(reference) || !uids.has(text(reference.uid)))
  if (kept.length === references.length) return object
  const { ownerReferences: _, ...rest } = metadata
  return { ...object, metadata: kept.length === 0 ? rest : { ...rest, ownerReferences: kept } }
}

/** The resource a reference speaks of; undefined when the cluster has no such kind. */
export function ownerType(catalog: Catalog, reference: OwnerReference): Served | undefined {
  const slash = reference.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : reference.apiVersion.slice(0, slash)
  const type = kindsOf(catalog).get(`${group}/${reference.kind}`)
  return type === undefined ? undefined : catalog.stored(type.group, type.resource)
}

interface Kinds {
  readonly generation: number
  readonly types: ReadonlyMap<string, ResourceType>
}

/** Every object that is made with an owner asks, and there are a hundred kinds to look through. */
const known = new WeakMap<Catalog, Kinds>()

function kindsOf(catalog: Catalog): Kinds['types'] {
  const { generation } = catalog
  const before = known.get(catalog)
  if (before?.generation === generation) return before.types
  const types = new Map<string, ResourceType>()
  for (const type of catalog.types()) {
    const name = `${type.group}/${type.kind}`
    if (!types.has(name)) types.set(name, type)
  }
  known.set(catalog, { generation, types })
  return types
}
