import type { JsonSchema } from '../../schema/json-schema.ts'
import { jsonFields, type Field, type ListType, type MapType, type Scalar, type StructType, type Type } from './types.ts'

const scalars: Readonly<Record<Scalar, JsonSchema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microTime: { type: 'string', format: 'date-time' },
  quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  intOrString: { 'x-kubernetes-int-or-string': true },
  raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
}

const known = new WeakMap<Type, JsonSchema>()

/** The type as OpenAPI shows it, with the marks that patches and server-side apply go by. Equal types share one schema. */
export function schemaOf(type: Type): JsonSchema {
  const before = known.get(type)
  if (before !== undefined) return before
  const schema = makeSchema(type)
  known.set(type, schema)
  return schema
}

function makeSchema(type: Type): JsonSchema {
  if (type.is === 'list') return listSchema(type)
  if (type.is === 'map') return mapSchema(type)
  return type.is === 'struct' ? structSchema(type) : scalars[type.of]
}

function listSchema(type: ListType): JsonSchema {
  return {
    type: 'array',
    items: schemaOf(type.of),
    'x-kubernetes-list-type': type.keys === undefined ? (type.isSet === true ? 'set' : 'atomic') : 'map',
    ...(type.keys === undefined ? {} : { 'x-kubernetes-list-map-keys': type.keys }),
    ...(type.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': type.patchStrategy }),
    ...(type.mergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': type.mergeKey }),
  }
}

function mapSchema(type: MapType): JsonSchema {
  return { type: 'object', additionalProperties: schemaOf(type.of), ...(type.isAtomic ? { 'x-kubernetes-map-type': 'atomic' } : {}) }
}

function structSchema(type: StructType): JsonSchema {
  const properties = Object.fromEntries(jsonFields(type).map((field) => [field.name, fieldSchema(field)]))
  return { type: 'object', properties, ...(type.isAtomic ? { 'x-kubernetes-map-type': 'atomic' } : {}) }
}

function fieldSchema(field: Field): JsonSchema {
  const schema = schemaOf(field.type)
  if (field.default === undefined && field.patchStrategy === undefined) return schema
  return {
    ...schema,
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
  }
}
