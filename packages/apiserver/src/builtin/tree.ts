import { isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'

/**
 * Small moves on immutable objects. Each returns what it was given when nothing changes, so that a write that changes nothing
 * stays recognisable as one.
 */

const none: JsonObject = {}
const nothing: JsonArray = []

export function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : none
}

export function itemsIn(value: Json | undefined): JsonArray {
  return isArray(value) ? value : nothing
}

/** The objects in a list; anything else in it was refused when it was read. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  const items = itemsIn(value)
  return isListOfObjects(items) ? items : items.filter(isObject)
}

const isListOfObjects = (items: JsonArray): items is readonly JsonObject[] => items.every(isObject)

export function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function textsIn(value: Json | undefined): readonly string[] {
  return itemsIn(value).filter((item) => typeof item === 'string')
}

export function numberIn(value: Json | undefined): number {
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : 0
}

export const isAbsent = (value: Json | undefined): value is null | undefined => value === undefined || value === null

export function specOf(object: JsonObject): JsonObject {
  return objectIn(object.spec)
}

export function statusOf(object: JsonObject): JsonObject {
  return objectIn(object.status)
}

export function metadataOf(object: JsonObject): JsonObject {
  return objectIn(object.metadata)
}

/** Replaces one field; `undefined` removes it. */
export function put(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (object[key] === value) return object
  if (value !== undefined) return { ...object, [key]: value }
  const { [key]: _, ...rest } = object
  return rest
}

/** Adds the fields that are absent or null. */
export function fill(object: JsonObject, defaults: JsonObject): JsonObject {
  let result: MutableObject | undefined
  for (const key in defaults) {
    const value = defaults[key]
    if (value === undefined || !isAbsent(object[key])) continue
    result ??= { ...object }
    result[key] = value
  }
  return result ?? object
}

/** Changes an object inside an object, if it is there. */
export function change(object: JsonObject, key: string, edit: (inner: JsonObject) => JsonObject): JsonObject {
  const inner = object[key]
  return isObject(inner) ? put(object, key, edit(inner)) : object
}

/** Changes every object of a list inside an object. */
export function changeItems(object: JsonObject, key: string, edit: (item: JsonObject) => JsonObject): JsonObject {
  const items = object[key]
  if (!isArray(items)) return object
  let result: Json[] | undefined
  for (let index = 0; index < items.length; index++) {
    const before = items[index]
    if (!isObject(before)) continue
    const after = edit(before)
    if (after === before) continue
    result ??= items.slice()
    result[index] = after
  }
  return result === undefined ? object : { ...object, [key]: result }
}
