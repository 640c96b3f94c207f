import { isArray, isObject, type Json, type JsonArray, type JsonObject } from '../json.ts'
import type { JsonSchema } from './json-schema.ts'
import { memoised } from './memo.ts'

/** Finds the stored element that an element of a list replaces. */
export type Correlate = (item: Json, old: Json | undefined) => Json | undefined

/** Up to this length a search is faster than an index. */
const shortList = 16

/**
 * Elements of lists correspond by their keys, in lists of type `map`. Any other list has no memory of which element was which, so its
 * elements have no past.
 */
export function correlation(schema: JsonSchema): Correlate {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  if (schema['x-kubernetes-list-type'] !== 'map' || keys.length === 0) return uncorrelated
  const indexOf = memoised((list: JsonArray) => new Map(list.toReversed().map((item) => [keyText(item, keys), item])))
  return (item, old) => {
    if (!isArray(old) || !isObject(item)) return undefined
    if (old.length <= shortList) return old.find((candidate) => isObject(candidate) && keys.every((key) => haveSame(key, item, candidate)))
    const key = keyText(item, keys)
    return key === undefined ? undefined : indexOf(old).get(key)
  }
}

const uncorrelated: Correlate = () => undefined

function haveSame(key: string, a: JsonObject, b: JsonObject): boolean {
  const value = Object.hasOwn(a, key) ? a[key] : undefined
  return value !== undefined && typeof value !== 'object' && Object.hasOwn(b, key) && b[key] === value
}

function keyText(item: Json, keys: readonly string[]): string | undefined {
  if (!isObject(item)) return undefined
  let text = ''
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined
    if (value === undefined || typeof value === 'object') return undefined
    text += `${typeof value === 'string' ? JSON.stringify(value) : value},`
  }
  return text
}
