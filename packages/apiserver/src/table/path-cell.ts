import type { Instant } from '@windlass/core'
import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import type { PathColumn } from '../registry/resource.ts'
import { jsonText } from '../wire/json-encode.ts'
import { ageOf } from './age.ts'
import { compilePath, type FindValues, isPath } from './json-path.ts'

const never: FindValues = () => []

/**
 * A function that prints the first value at a column's path. Null when there is none, or one of another type than the column's;
 * only text columns take every type.
 */
export function pathCell(column: PathColumn): (object: JsonObject, now: Instant) => Json {
  const find = isPath(column.jsonPath) ? compilePath(column.jsonPath) : never
  const print = printers[column.type] ?? printers.string
  return (object, now) => {
    const value = find(object)[0]
    return value === undefined || value === null || print === undefined ? null : print(value, now)
  }
}

const printers: Readonly<Record<string, (value: Json, now: Instant) => Json>> = {
  integer: (value) => (typeof value === 'bigint' ? value : typeof value === 'number' ? Math.trunc(value) : null),
  number: (value) => (typeof value === 'bigint' || typeof value === 'number' ? value : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  date: (value, now) => (typeof value === 'string' ? ageOf(value, now) : null),
  string: textOf,
}

function textOf(value: Json): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  // Go writes exponents with at least two digits.
  if (typeof value === 'number') return String(value).replace(/e([+-])(?=\d$)/, 'e$10')
  return sortedJson(value)
}

/** JSON with sorted keys and without the characters that HTML would mind, as Go writes it. */
function sortedJson(value: Json): string {
  const escapes: Readonly<Record<string, string>> = {
    '<': '\\u003c',
    '>': '\\u003e',
    '&': '\\u0026',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  }
  return jsonText(sorted(value)).replaceAll(/[<>&\u2028\u2029]/g, (character) => escapes[character] ?? character)
}

function sorted(value: Json): Json {
  if (isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const object: MutableObject = {}
  for (const key of Object.keys(value).toSorted()) object[key] = sorted(value[key] ?? null)
  return object
}
