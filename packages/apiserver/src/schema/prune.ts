import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import type { JsonSchema } from './json-schema.ts'
import { lazy, memoised } from './memo.ts'
import { isResourceField, objectMetaSchema } from './object-meta.ts'
import { Place } from './place.ts'
import { additionalSchema, mapArray, mapObject } from './shape.ts'

/** One pruning of one object: where it stands and what it dropped. */
export class PruneWalk {
  readonly place = new Place()
  /** Paths of dropped fields, in the order of the object. */
  fields: string[] = []
  /** Those from the metadata of embedded resources: real servers decode it after everything else. */
  metadataFields: string[] = []

  drop(field: string): void {
    this.place.enter(field)
    this.fields.push(this.place.toString())
    this.place.leave()
  }
}

type Role = 'value' | 'resource root'

/**
 * Drops what a schema does not describe. Below `x-kubernetes-preserve-unknown-fields` unknown fields stay, but known ones are pruned by
 * their own schemas again.
 */
class Pruner {
  readonly #preserves: boolean
  readonly #role: Role
  readonly #isResource: boolean
  readonly #fields = new Map<string, () => Pruner>()
  readonly #additional: (() => Pruner) | undefined
  readonly #items: (() => Pruner) | undefined

  constructor(schema: JsonSchema, role: Role) {
    this.#preserves = schema['x-kubernetes-preserve-unknown-fields'] === true
    this.#role = role
    this.#isResource = role === 'resource root' || schema['x-kubernetes-embedded-resource'] === true
    for (const [name, property] of Object.entries(schema.properties ?? {})) this.#fields.set(name, later(property))
    const additional = additionalSchema(schema)
    if (additional !== undefined) this.#additional = later(additional)
    // `true` allows keys without saying what is in them: whatever they hold has no known fields.
    else if (schema.additionalProperties === true) this.#additional = () => nothingKnown
    if (schema.items !== undefined) this.#items = later(schema.items)
  }

  prune(value: Json, walk: PruneWalk): Json {
    if (this.#preserves) return this.keep(value, walk)
    if (isArray(value)) return mapArray(value, walk, this.#pruneItem)
    return isObject(value) ? mapObject(value, walk, this.#pruneField) : value
  }

  keep(value: Json, walk: PruneWalk): Json {
    if (isArray(value)) return this.#items === undefined ? value : mapArray(value, walk, this.#keepItem)
    return isObject(value) ? mapObject(value, walk, this.#keepField) : value
  }

  readonly #pruneField = (value: Json, name: string, walk: PruneWalk): Json | undefined => {
    if (this.#isResource && isResourceField(name)) return this.#pruneResourceField(value, name, walk)
    const pruner = (this.#fields.get(name) ?? this.#additional)?.()
    if (pruner !== undefined) return pruneAt(pruner, value, name, walk)
    walk.drop(name)
    return undefined
  }

  readonly #keepField = (value: Json, name: string, walk: PruneWalk): Json => {
    if (this.#isResource && isResourceField(name)) return this.#pruneResourceField(value, name, walk)
    const pruner = (this.#fields.get(name) ?? this.#additional)?.()
    return pruner === undefined ? value : pruneAt(pruner, value, name, walk)
  }

  readonly #pruneItem = (value: Json, index: number, walk: PruneWalk): Json => pruneAt(this.#items?.() ?? nothingKnown, value, index, walk)

  readonly #keepItem = (value: Json, index: number, walk: PruneWalk): Json => {
    walk.place.enter(index)
    const kept = this.#items?.().keep(value, walk) ?? value
    walk.place.leave()
    return kept
  }

  #pruneResourceField(value: Json, name: string, walk: PruneWalk): Json {
    if (name !== 'metadata' || this.#role === 'resource root' || !isObject(value)) return value
    const { fields } = walk
    walk.fields = walk.metadataFields
    const pruned = pruneAt(prunerOf(objectMetaSchema), value, name, walk)
    walk.fields = fields
    return isObject(pruned) && pruned.creationTimestamp === null ? withoutCreationTimestamp(pruned) : pruned
  }
}

const later = (schema: JsonSchema): (() => Pruner) => lazy(() => prunerOf(schema))

/** Only objects and lists have anything to drop. */
function pruneAt(pruner: Pruner, value: Json, segment: string | number, walk: PruneWalk): Json {
  if (typeof value !== 'object' || value === null) return value
  walk.place.enter(segment)
  const pruned = pruner.prune(value, walk)
  walk.place.leave()
  return pruned
}

/** A null there is how Go clients write "not yet". */
function withoutCreationTimestamp(metadata: JsonObject): JsonObject {
  return mapObject(metadata, undefined, (value, key) => (key === 'creationTimestamp' ? undefined : value))
}

const nothingKnown = new Pruner({}, 'value')
const prunerOf = memoised((schema: JsonSchema) => new Pruner(schema, 'value'))
const rootPrunerOf = memoised((schema: JsonSchema) => new Pruner(schema, 'resource root'))

/** How dropped fields are listed: `sorted` as real servers do for custom resources, `as sent` as they do for built-in kinds. */
export type UnknownOrder = 'sorted' | 'as sent'

export function pruneObject(
  schema: JsonSchema,
  object: JsonObject,
  onUnknown?: (path: string) => void,
  order: UnknownOrder = 'sorted',
): JsonObject {
  const walk = new PruneWalk()
  const pruned = rootPrunerOf(schema).prune(object, walk)
  if (onUnknown !== undefined) {
    for (const fields of [walk.fields, walk.metadataFields]) for (const path of order === 'sorted' ? fields.sort() : fields) onUnknown(path)
  }
  return pruned as JsonObject
}

/** Drops unknown fields of a value that is no whole object, such as a default. */
export function pruneValue(schema: JsonSchema, value: Json): Json {
  return prunerOf(schema).prune(value, new PruneWalk())
}
