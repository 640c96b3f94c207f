import { duplicate, type FieldError, invalid } from '../errors/field-error.ts'
import { isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import { shownValue } from './go-text.ts'
import type { JsonSchema } from './json-schema.ts'
import { fieldPath } from './place.ts'
import { reachOf } from './reach.ts'

const isAssociative = (schema: JsonSchema): boolean =>
  schema['x-kubernetes-list-type'] === 'set' || schema['x-kubernetes-list-type'] === 'map'
const lists = reachOf(isAssociative)

/** Elements of sets, and keys of lists of type `map`, must be unique. */
export function listTypeErrors(schema: JsonSchema, object: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = []
  lists.visit(schema, object, '', (value, path, list) => {
    if (!isArray(value)) return
    for (const error of elementErrors(list, value, path)) errors.push(error)
  })
  return errors
}

function elementErrors(schema: JsonSchema, list: JsonArray, path: string): readonly FieldError[] {
  if (schema['x-kubernetes-list-type'] === 'set') {
    return repeated(list, identity).map((index) => duplicate(fieldPath.index(path, index), shownValue(list[index] ?? null)))
  }
  const misfit = list.findIndex((item) => item !== null && !isObject(item))
  if (misfit >= 0) {
    const why = 'must be an object for an array of list-type map'
    return [invalid(fieldPath.index(path, misfit), shownValue(list[misfit] ?? null), why)]
  }
  const names = schema['x-kubernetes-list-map-keys'] ?? []
  const [name = '', ...others] = names
  const identityOfKey = others.length === 0 ? (item: Json) => identity(keyValue(item, name)) : (item: Json) => identity(keyOf(item, names))
  return repeated(list, identityOfKey).map((index) =>
    duplicate(fieldPath.index(path, index), shownValue(keyOf(list[index] ?? null, names))),
  )
}

function keyValue(item: Json, name: string): Json | undefined {
  return isObject(item) && Object.hasOwn(item, name) ? item[name] : undefined
}

function keyOf(item: Json, names: readonly string[]): JsonObject {
  const key: MutableObject = {}
  for (const name of names) {
    const value = keyValue(item, name)
    if (value !== undefined) key[name] = value
  }
  return key
}

/** Where values come for the second time; the third and later are not told. */
function repeated(list: JsonArray, identityOf: (item: Json) => Json | undefined): readonly number[] {
  if (list.length < 2) return []
  const times = new Map<Json | undefined, number>()
  const indexes: number[] = []
  for (let index = 0; index < list.length; index++) {
    const key = identityOf(list[index] as Json)
    const seen = times.get(key) ?? 0
    if (seen === 1) indexes.push(index)
    times.set(key, seen + 1)
  }
  return indexes
}

/** Equal for equal values: scalars are themselves, others a text that no scalar of a list is likely to be and that keys sort. */
function identity(value: Json | undefined): Json | undefined {
  return typeof value === 'object' && value !== null ? `\u0000${canonical(value)}` : value
}

function canonical(value: Json): string {
  if (isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join()}}`
}
