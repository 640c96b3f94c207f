import type { Json, JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { objectMetaSchema } from '../schema/object-meta.ts'

/**
 * What ownership needs to know of a schema: which values are single fields, and which are made of fields of their own.
 *
 * A type may allow several forms (free-form values do); the value at hand decides.
 */
export interface FieldType {
  readonly scalar?: ScalarType
  readonly list?: ListType
  readonly map?: MapType
}

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped'

export interface ListType {
  /** One field as a whole; otherwise every element has a name: by its keys, or by its value when there are no keys. */
  readonly isAtomic: boolean
  /** Sorted. */
  readonly keys: readonly string[]
  /** What keys are when an element leaves them out. */
  readonly defaults: JsonObject
  readonly item: FieldType
}

export interface MapType {
  readonly isAtomic: boolean
  readonly fields: ReadonlyMap<string, FieldType>
  /** Type of members that have no field of their own; absent when there may be none. */
  readonly other?: FieldType
}

interface Editable {
  scalar?: ScalarType
  list?: ListType
  map?: MapType
}

/** Values without a schema: objects by member, lists as a whole. */
export const freeForm: FieldType = freeFormType()

function freeFormType(): FieldType {
  const type: Editable = { scalar: 'untyped' }
  const item: Editable = { scalar: 'untyped' }
  item.list = { isAtomic: true, keys: [], defaults: {}, item }
  item.map = { isAtomic: true, fields: new Map(), other: item }
  type.list = { isAtomic: true, keys: [], defaults: {}, item }
  type.map = { isAtomic: false, fields: new Map(), other: type }
  return type
}

const objectTypes = new WeakMap<JsonSchema, FieldType>()

/** The type of whole objects of a kind: its schema, with `metadata`, `apiVersion` and `kind` as every kind has them. */
export function objectType(schema: JsonSchema): FieldType {
  let type = objectTypes.get(schema)
  if (type === undefined) {
    const { properties, ...rest } = schema
    const string: JsonSchema = { type: 'string' }
    // A schema without any field of its own is open, and the common fields must not close it.
    const isOpen = properties === undefined && schema.additionalProperties === undefined
    const whole = { ...rest, properties: { ...properties, apiVersion: string, kind: string, metadata: objectMetaSchema } }
    type = typeOf({ ...whole, ...(isOpen ? { 'x-kubernetes-preserve-unknown-fields': true } : {}) }, false)
    objectTypes.set(schema, type)
  }
  return type
}

/** By schema, one for each side of openness. A schema that contains itself (JSONSchemaProps) meets its own unfinished type here. */
const knownTypes = [new WeakMap<JsonSchema, FieldType>(), new WeakMap<JsonSchema, FieldType>()] as const

function typeOf(schema: JsonSchema, isInsideOpen: boolean): FieldType {
  const known = knownTypes[isInsideOpen ? 1 : 0]
  const found = known.get(schema)
  if (found !== undefined) return found
  const type: Editable = {}
  known.set(schema, type)
  return Object.assign(type, newType(schema, isInsideOpen))
}

function newType(schema: JsonSchema, isInsideOpen: boolean): FieldType {
  if (schema['x-kubernetes-int-or-string'] === true) return { scalar: 'untyped' }
  const isOpen = isInsideOpen || schema['x-kubernetes-preserve-unknown-fields'] === true
  switch (schema.type) {
    case 'integer':
    case 'number':
      return { scalar: 'numeric' }
    case 'string':
      return { scalar: schema.format === 'quantity' || schema.format === 'int-or-string' ? 'untyped' : 'string' }
    case 'boolean':
      return { scalar: 'boolean' }
    case 'array':
      return { list: listType(schema, isOpen) }
    case 'object':
      return { map: mapType(schema, isOpen) }
    case undefined:
    default:
      return schema.properties === undefined ? freeForm : { map: mapType(schema, isOpen) }
  }
}

function mapType(schema: JsonSchema, isOpen: boolean): MapType {
  const fields = new Map<string, FieldType>()
  for (const [name, field] of Object.entries(schema.properties ?? {})) fields.set(name, typeOf(field, isOpen))
  const embedded = schema['x-kubernetes-embedded-resource'] === true
  if (embedded) for (const [name, field] of embeddedFields()) fields.set(name, field)
  const other = otherMembers(schema, isOpen)
  return { isAtomic: schema['x-kubernetes-map-type'] === 'atomic', fields, ...(other === undefined ? {} : { other }) }
}

function embeddedFields(): readonly (readonly [string, FieldType])[] {
  return [
    ['apiVersion', { scalar: 'string' }],
    ['kind', { scalar: 'string' }],
    ['metadata', typeOf(objectMetaSchema, false)],
  ]
}

function otherMembers({ additionalProperties, properties }: JsonSchema, isOpen: boolean): FieldType | undefined {
  if (typeof additionalProperties === 'object') return typeOf(additionalProperties, isOpen)
  if (additionalProperties === true || isOpen) return freeForm
  if (additionalProperties === undefined && Object.keys(properties ?? {}).length === 0) return freeForm
  return undefined
}

function listType(schema: JsonSchema, isOpen: boolean): ListType {
  const item = schema.items === undefined ? freeForm : typeOf(schema.items, isOpen)
  const keys = elementKeys(schema)
  if (keys === undefined) return { isAtomic: true, keys: [], defaults: {}, item }
  const defaults: Record<string, Json> = {}
  for (const key of keys) {
    const preset = schema.items?.properties?.[key]?.default
    if (preset !== undefined) defaults[key] = preset
  }
  return { isAtomic: false, keys, defaults, item }
}

/** Keys that name elements, none for sets, `undefined` for lists that are one field. */
function elementKeys(schema: JsonSchema): readonly string[] | undefined {
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort()
    case 'set':
      return []
    case 'atomic':
      return undefined
    case undefined:
      break
  }
  // Older built-in lists say it for strategic merge patch only.
  if (!schema['x-kubernetes-patch-strategy']?.split(',').includes('merge')) return undefined
  const key = schema['x-kubernetes-patch-merge-key']
  return key === undefined ? [] : [key]
}

export type Form = 'map' | 'scalar' | 'list'

/** Which of the type's forms a value has. Null, and values of no allowed form, count as the first that the type has. */
export function formOf(type: FieldType, value: Json | undefined): Form {
  if (value !== undefined && value !== null) {
    if (typeof value !== 'object') {
      if (type.scalar !== undefined) return 'scalar'
    } else if (Array.isArray(value)) {
      if (type.list !== undefined) return 'list'
    } else if (type.map !== undefined) {
      return 'map'
    }
  }
  if (type.map !== undefined) return 'map'
  return type.scalar === undefined ? 'list' : 'scalar'
}

export function memberType(map: MapType, name: string): FieldType | undefined {
  return map.fields.get(name) ?? map.other
}
