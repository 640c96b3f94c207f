import { DecodeError } from '../../errors/decode-error.ts'
import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../../json.ts'
import { mismatch, scalarRules } from './scalars.ts'
import { jsonFields, type Field, type ListType, type MapType, type StructType, type Type } from './types.ts'

/**
 * Brings a value into the form in which a real server would give it back after reading it into its Go types and writing it
 * again: nulls and empty fields dropped where Go drops them, zero values written where Go writes them, times in UTC, quantities
 * in their shortest form.
 *
 * Fields that the type does not have are left alone: whether they are dropped, warned about or refused is decided elsewhere.
 * A value that is canonical already comes back as the same reference.
 *
 * Throws DecodeError for values of another type.
 */
export type Canonical = (value: Json) => Json

const compiled = new WeakMap<Type, Canonical>()

export function canonicalOf(type: Type): Canonical {
  const before = compiled.get(type)
  if (before !== undefined) return before
  const canonical = compile(type)
  compiled.set(type, canonical)
  return canonical
}

function compile(type: Type): Canonical {
  if (type.is === 'list') return compileList(type)
  if (type.is === 'map') return compileMap(type)
  if (type.is === 'struct') return compileStruct(type)
  const { read, zero } = scalarRules[type.of]
  return (value) => (value === null ? zero : read(value))
}

function compileList(type: ListType): Canonical {
  const item = canonicalOf(type.of)
  return (value) => {
    if (value === null) return value
    if (!isArray(value)) throw mismatch(value, '[]')
    let result: Json[] | undefined
    for (let index = 0; index < value.length; index++) {
      const before = value[index] ?? null
      const after = within(`[${index}]`, item, before)
      if (after !== value[index]) {
        result ??= value.slice()
        result[index] = after
      }
    }
    return result ?? value
  }
}

function compileMap(type: MapType): Canonical {
  const item = canonicalOf(type.of)
  return (value) => {
    if (value === null) return value
    if (!isObject(value)) throw mismatch(value, 'map[string]')
    let result: MutableObject | undefined
    for (const key in value) {
      const before = value[key] ?? null
      const after = within(`.${key}`, item, before)
      if (after !== before) {
        result ??= { ...value }
        result[key] = after
      }
    }
    return result ?? value
  }
}

interface CompiledField {
  readonly name: string
  readonly canonical: (value: Json) => Json | undefined
}

function compileStruct(type: StructType): Canonical {
  const fields = jsonFields(type)
  const byName = new Map(fields.map((field): [string, CompiledField] => [field.name, { name: field.name, canonical: compileField(field) }]))
  const written = fields.flatMap((field) => {
    const value = absentValue(field)
    return value === undefined ? [] : [{ name: field.name, value }]
  })
  return (value) => {
    if (value === null) return zeroOf(type)
    if (!isObject(value)) throw mismatch(value, 'struct')
    let result: MutableObject | undefined
    for (const key in value) {
      const field = byName.get(key)
      if (field === undefined) continue
      const before = value[key] ?? null
      const after = within(`.${key}`, field.canonical, before)
      if (after === before) continue
      result ??= { ...value }
      if (after === undefined) delete result[key]
      else result[key] = after
    }
    for (const { name, value: initial } of written) {
      if (Object.hasOwn(value, name)) continue
      result ??= { ...value }
      result[name] = initial
    }
    return result ?? value
  }
}

/** What Go writes for a field that nobody set; undefined when it writes nothing. */
function absentValue(field: Field): Json | undefined {
  const { presence, type } = field
  if (hasDefault(field)) return field.default
  if (presence === 'pointer') return undefined
  if (presence === 'null-pointer') return null
  return presence === 'zero' || isAlwaysWritten(type) ? zeroOf(type) : undefined
}

/** An empty default of a field that is left out when empty changes nothing. */
function hasDefault(field: Field): boolean {
  return field.default !== undefined && !(field.default === '' && field.presence === 'omitted')
}

/** Go's omitempty does not apply to structs, and some scalars are structs there. */
function isAlwaysWritten(type: Type): boolean {
  if (type.is === 'struct') return true
  return type.is === 'scalar' && (type.of === 'time' || type.of === 'microTime' || type.of === 'quantity' || type.of === 'intOrString')
}

function compileField(field: Field): (value: Json) => Json | undefined {
  const canonical = compilePresence(field)
  if (!hasDefault(field)) return canonical
  return (value) => canonical(value) ?? field.default
}

function compilePresence({ type, presence }: Field): (value: Json) => Json | undefined {
  const canonical = canonicalOf(type)
  if (presence === 'pointer') return (value) => (value === null ? undefined : canonical(value))
  if (presence === 'null-pointer') return (value) => (value === null ? null : canonical(value))
  if (presence === 'zero') return (value) => nullIfEmpty(canonical(value))
  if (isAlwaysWritten(type)) return canonical
  return (value) => {
    const after = canonical(value)
    return isEmpty(after) ? undefined : after
  }
}

/** Storage does not tell an empty list from none. */
function nullIfEmpty(value: Json): Json {
  return isArray(value) && value.length === 0 ? null : value
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  if (isArray(value)) return value.length === 0
  for (const _ in value) return false
  return true
}

const zeros = new WeakMap<Type, Json>()

/** What Go writes for a value nobody set. */
export function zeroOf(type: Type): Json {
  if (type.is === 'scalar') return scalarRules[type.of].zero
  if (type.is !== 'struct') return null
  const before = zeros.get(type)
  if (before !== undefined) return before
  const zero: MutableObject = {}
  for (const field of jsonFields(type)) {
    const value = absentValue(field)
    if (value !== undefined) zero[field.name] = value
  }
  zeros.set(type, zero)
  return zero
}

function within<T>(step: string, canonical: (value: Json) => T, value: Json): T {
  try {
    return canonical(value)
  } catch (error) {
    if (error instanceof DecodeError && error.message.startsWith('json: ')) throw located(step, error)
    throw error
  }
}

/** Puts the path in front as the error travels up: `… into Go struct field .spec.replicas of type int32`. */
function located(step: string, error: DecodeError): DecodeError {
  const inner = error.message.replace('into Go value of type', 'into Go struct field  of type')
  return new DecodeError(inner.replace('into Go struct field ', `into Go struct field ${step}`))
}

/** A canonical object of a struct type. */
export function canonicalObject(type: StructType, value: JsonObject): JsonObject {
  const result = canonicalOf(type)(value)
  return isObject(result) ? result : value
}
