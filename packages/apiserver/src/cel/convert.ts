import { isArray, isObject, type Json } from '../json.ts'
import { EvaluationError } from './errors.ts'
import type { ListType } from './schema-type.ts'
import { parseDate, parseDateTime, parseSchemaDuration } from './time.ts'
import { dyn, type CelType, type TypeKind } from './types.ts'
import { BuiltMap, Duration, JsonMap, ListValue, MapValue, ObjectValue, OptionalValue, Timestamp, Uint, type Value } from './values.ts'

/** JSON as values of a type. Objects are wrapped, their members converted when asked for; lists are converted one level deep. */
export function convert(json: Json, type: CelType): Value {
  if (json === null) return null
  const converter = converters[type.kind]
  if (converter === undefined) return convertFreely(json)
  const value = converter(json, type)
  if (value === undefined) throw new EvaluationError(`invalid data, expected ${type.name}, got ${isArray(json) ? 'array' : typeof json}`)
  return value
}

/** Each answers undefined for JSON of another kind. */
const converters: { readonly [K in TypeKind]?: (json: Json, type: CelType) => Value | undefined } = {
  string: (json) => (typeof json === 'string' ? json : undefined),
  bool: (json) => (typeof json === 'boolean' ? json : undefined),
  int: (json) => {
    if (typeof json === 'bigint') return json
    return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined
  },
  double: (json) => (typeof json === 'number' || typeof json === 'bigint' ? Number(json) : undefined),
  list: (json, type) => (isArray(json) ? convertList(json, type) : undefined),
  map: (json, type) => (isObject(json) ? new JsonMap(json, type.element ?? dyn) : undefined),
  object: (json, type) => (isObject(json) && type.shape !== undefined ? new ObjectValue(json, type.shape) : undefined),
  timestamp: (json) =>
    typeof json === 'string' ? new Timestamp(parseDateTime(json) ?? parseDate(json) ?? badText('date-time', json)) : undefined,
  duration: (json) => (typeof json === 'string' ? new Duration(parseSchemaDuration(json) ?? badText('duration', json)) : undefined),
  bytes: (json) => (typeof json === 'string' ? new Uint8Array(Buffer.from(json, 'base64')) : undefined),
}

function badText(format: string, text: string): never {
  throw new EvaluationError(`Invalid ${format} formatted string ${text}`)
}

function convertList(json: readonly Json[], type: ListType): ListValue {
  const element = type.element ?? dyn
  return new ListValue(
    json.map((each) => convert(each, element)),
    type.identity ?? 'position',
  )
}

/** JSON without a schema: whole numbers are integers. */
function convertFreely(json: Json): Value {
  if (typeof json === 'number' && Number.isInteger(json)) return BigInt(json)
  if (isArray(json)) return new ListValue(json.map((each) => convert(each, dyn)))
  if (isObject(json)) return new JsonMap(json, dyn)
  return json
}

/** A value as plain JavaScript: lists as arrays, maps as objects, times as text. Integers stay `bigint`. */
export function toPlain(value: Value): unknown {
  if (value instanceof ListValue) return value.items.map(toPlain)
  if (value instanceof ObjectValue || value instanceof JsonMap) return value.raw
  if (value instanceof BuiltMap || value instanceof MapValue) {
    return Object.fromEntries(value.keys().map((key) => [String(toPlain(key)), toPlain(value.get(key) ?? null)]))
  }
  if (value instanceof Uint) return value.value
  if (value instanceof OptionalValue) return value.value === undefined ? undefined : toPlain(value.value)
  return value
}
