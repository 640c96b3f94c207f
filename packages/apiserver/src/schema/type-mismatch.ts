import { isArray, isObject, type Json } from '../json.ts'
import type { JsonSchema } from './json-schema.ts'
import { allowsKind, type Kind, kindOf, typesOf } from './kind.ts'
import { Place } from './place.ts'
import { memoised } from './memo.ts'
import { additionalSchema } from './shape.ts'

/** Where decoding into a Go type would stop, in the words of its decoder. */
export interface TypeMismatch {
  readonly path: string
  readonly expected: string
  readonly actual: string
}

/**
 * The first place where a value does not fit the type its schema gives it. Null fits everywhere: it decodes to the zero value. So do
 * fields the schema does not know, which are somebody else's business.
 */
export function typeMismatch(schema: JsonSchema, value: Json): TypeMismatch | undefined {
  return search(schema, value, new Place())
}

const shapeOf = memoised((schema: JsonSchema) => ({
  fields: new Map(Object.entries(schema.properties ?? {})),
  additional: additionalSchema(schema),
}))

function search(schema: JsonSchema, value: Json, place: Place): TypeMismatch | undefined {
  if (value === null) return undefined
  const kind = kindOf(value)
  if (!fits(schema, value, kind)) return { path: place.toString(), expected: goType(schema), actual: goValue(value, kind, schema) }
  if (isArray(value)) return schema.items === undefined ? undefined : searchItems(schema.items, value, place)
  if (!isObject(value)) return undefined
  const { fields, additional } = shapeOf(schema)
  for (const key in value) {
    const property = fields.get(key) ?? additional
    if (property === undefined) continue
    place.enter(key)
    const found = search(property, value[key] as Json, place)
    place.leave()
    if (found !== undefined) return found
  }
  return undefined
}

function searchItems(schema: JsonSchema, list: readonly Json[], place: Place): TypeMismatch | undefined {
  for (let index = 0; index < list.length; index++) {
    place.enter(index)
    const found = search(schema, list[index] as Json, place)
    place.leave()
    if (found !== undefined) return found
  }
  return undefined
}

function fits(schema: JsonSchema, value: Json, kind: Kind): boolean {
  if (schema.type !== kind && !allowsKind(typesOf(schema), kind)) return false
  return kind !== 'integer' || schema.format !== 'int32' || (typeof value === 'number' && value === (value | 0))
}

const goTypes: Readonly<Record<string, string>> = { boolean: 'bool', integer: 'int64', number: 'float64', array: 'slice', object: 'map' }

function goType(schema: JsonSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'intstr.IntOrString'
  if (schema.type === 'integer' && schema.format !== undefined) return schema.format
  return goTypes[schema.type ?? ''] ?? schema.type ?? ''
}

/** A number is shown when it is of the wrong size or has a fraction. */
function goValue(value: Json, kind: Kind, schema: JsonSchema): string {
  if (kind === 'boolean') return 'bool'
  if (typeof value !== 'number' && typeof value !== 'bigint') return kind
  return schema.type === 'integer' ? `number ${value}` : 'number'
}
