import type { Json, JsonObject, MutableObject } from '../json.ts'
import type { JsonSchema } from './json-schema.ts'

/** The schema of whatever has no schema of its own among `properties`: values of maps. */
export function additionalSchema(schema: JsonSchema): JsonSchema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined
}

/** Whether a key is a field of its own. Own properties only: a field may be called `constructor`. */
export function isNamed(schema: JsonSchema, key: string): boolean {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, key)
}

export function hasDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined && schema.default !== null
}

/**
 * Gives each value of an object a chance to change: `change` answers the value itself to keep it, another one to replace it, `undefined`
 * to drop the key. An object in which nothing changed is returned as it is. `walk` is handed on, so that `change` can be one function for
 * all calls: nothing is allocated as long as nothing changes.
 */
export function mapObject<Walk>(
  object: JsonObject,
  walk: Walk,
  change: (value: Json, key: string, walk: Walk) => Json | undefined,
): JsonObject {
  let next: MutableObject | undefined
  for (const key in object) {
    const value = object[key] as Json
    const changed = change(value, key, walk)
    if (next === undefined) {
      if (changed === value) continue
      next = fieldsBefore(object, key)
    }
    if (changed !== undefined && key !== '__proto__') next[key] = changed
  }
  return next ?? object
}

function fieldsBefore(object: JsonObject, end: string): MutableObject {
  const copy: MutableObject = {}
  for (const key in object) {
    if (key === end) break
    if (key !== '__proto__') copy[key] = object[key] as Json
  }
  return copy
}

/** The same for the elements of a list, none of which may be dropped. */
export function mapArray<Walk>(
  list: readonly Json[],
  walk: Walk,
  change: (value: Json, index: number, walk: Walk) => Json,
): readonly Json[] {
  let next: Json[] | undefined
  for (let index = 0; index < list.length; index++) {
    const value = list[index] as Json
    const changed = change(value, index, walk)
    if (changed === value) continue
    next ??= [...list]
    next[index] = changed
  }
  return next ?? list
}
