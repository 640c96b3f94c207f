import type { JsonSchema } from '../schema/json-schema.ts'
import { escapeName } from './escape.ts'
import { bool, bytes, double, duration, dyn, int, list, map, string, timestamp, type CelType } from './types.ts'
import type { ListIdentity } from './values.ts'

export interface ObjectField {
  /** As in JSON. */
  readonly property: string
  readonly type: CelType
}

/** The type of a list that remembers how its elements are told apart. */
export interface ListType extends CelType {
  readonly identity?: ListIdentity
}

/** The fields of an object, found when first asked for: most rules look at two of two hundred. */
export class ObjectShape {
  readonly #properties: { readonly [name: string]: JsonSchema }
  #byEscaped: Map<string, string> | undefined
  readonly #fields = new Map<string, ObjectField | undefined>()

  constructor(properties: { readonly [name: string]: JsonSchema }) {
    this.#properties = properties
  }

  /** Undefined for unknown fields and for those whose schema says nothing that a rule could use. */
  field(escaped: string): ObjectField | undefined {
    if (this.#fields.has(escaped)) return this.#fields.get(escaped)
    const property = this.#names().get(escaped)
    const schema = property === undefined ? undefined : this.#properties[property]
    const type = schema === undefined ? undefined : schemaType(schema, schema['x-kubernetes-embedded-resource'] === true)
    const field = property === undefined || type === undefined ? undefined : { property, type }
    this.#fields.set(escaped, field)
    return field
  }

  /** The name under which rules reach a property, if they can. */
  escapedName(property: string): string | undefined {
    const escaped = escapeName(property)
    return escaped !== undefined && this.field(escaped) !== undefined ? escaped : undefined
  }

  #names(): Map<string, string> {
    if (this.#byEscaped === undefined) {
      this.#byEscaped = new Map()
      for (const property of Object.keys(this.#properties)) {
        const escaped = escapeName(property)
        if (escaped !== undefined) this.#byEscaped.set(escaped, property)
      }
    }
    return this.#byEscaped
  }
}

const text: JsonSchema = { type: 'string' }
const typeAndMeta: { readonly [name: string]: JsonSchema } = {
  apiVersion: text,
  kind: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
}

const rootTypes = new WeakMap<JsonSchema, { readonly type: CelType | undefined }>()
const innerTypes = new WeakMap<JsonSchema, { readonly type: CelType | undefined }>()

/**
 * How rules see values of a schema; undefined when they cannot see them at all (no type, or lists of such). The same schema always
 * gives the same type, so that `self` and `oldSelf` compare.
 *
 * @param isResourceRoot adds apiVersion, kind, metadata.name and metadata.generateName, which every resource has.
 */
export function schemaType(schema: JsonSchema, isResourceRoot: boolean): CelType | undefined {
  const known = isResourceRoot ? rootTypes : innerTypes
  const found = known.get(schema)
  if (found !== undefined) return found.type
  const type = build(schema, isResourceRoot)
  known.set(schema, { type })
  return type
}

function build(schema: JsonSchema, isResourceRoot: boolean): CelType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return dyn
  if (schema.type === 'array') return listType(schema)
  if (schema.type === 'object') return objectType(schema, isResourceRoot)
  if (schema.type === 'string') return textTypes.get(schema.format ?? '') ?? string
  return plainTypes.get(schema.type ?? '')
}

const plainTypes = new Map<string, CelType>([
  ['boolean', bool],
  ['number', double],
  ['integer', int],
])
const textTypes = new Map<string, CelType>([
  ['byte', bytes],
  ['duration', duration],
  ['date', timestamp],
  ['date-time', timestamp],
])

function listType(schema: JsonSchema): ListType | undefined {
  const { items } = schema
  const element = items === undefined ? undefined : schemaType(items, items['x-kubernetes-embedded-resource'] === true)
  if (element === undefined) return undefined
  const most = Math.max(0, schema.maxItems ?? Math.floor((largestRequest - 2) / (smallestSize(items) + 1)))
  const kind = schema['x-kubernetes-list-type']
  if (kind === 'set') return { ...list(element), most, identity: 'value' }
  if (kind === 'map') return { ...list(element), most, identity: { keys: (schema['x-kubernetes-list-map-keys'] ?? []).map(escaped) } }
  return { ...list(element), most }
}

/** Bytes: what bounds the number of elements when the schema does not. */
const largestRequest = 3 * 1024 * 1024

const smallestSizes = new Map([
  ['boolean', 4],
  ['number', 1],
  ['integer', 1],
])
const smallestTexts = new Map([
  ['duration', 4],
  ['date', 12],
  ['date-time', 22],
])

/** The shortest JSON that a value of a schema can have. */
function smallestSize(schema: JsonSchema | undefined): number {
  if (schema === undefined || schema['x-kubernetes-int-or-string'] === true) return 1
  if (schema.type === 'string') return smallestTexts.get(schema.format ?? '') ?? 2
  if (schema.type !== 'object') return smallestSizes.get(schema.type ?? '') ?? 2
  let size = 2
  for (const name of schema.required ?? []) {
    const property = schema.properties?.[name]
    if (property !== undefined && property.default === undefined) size += name.length + smallestSize(property) + 4
  }
  return size
}

const escaped = (name: string): string => escapeName(name) ?? name

function objectType(schema: JsonSchema, isResourceRoot: boolean): CelType | undefined {
  const values = schema.additionalProperties
  if (typeof values === 'object') {
    const element = schemaType(values, values['x-kubernetes-embedded-resource'] === true)
    const most = Math.max(0, schema.maxProperties ?? Math.floor((largestRequest - 2) / (smallestSize(values) + 6)))
    return element === undefined ? undefined : { ...map(string, element), most }
  }
  const properties = isResourceRoot ? withTypeAndMeta(schema.properties ?? {}) : (schema.properties ?? {})
  return { kind: 'object', name: 'object', shape: new ObjectShape(properties) }
}

/** A schema that already describes both names of its metadata stays as it is. */
function withTypeAndMeta(properties: { readonly [name: string]: JsonSchema }): { readonly [name: string]: JsonSchema } {
  const described = properties['metadata']?.properties
  const isComplete =
    properties['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    described?.['name']?.type === 'string' &&
    described['generateName']?.type === 'string'
  return isComplete ? properties : { ...properties, ...typeAndMeta }
}
