import { badRequest } from '../errors/api-error.ts'
import { equalJson, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'

/** JSON merge patch (RFC 7386): members are set, `null` deletes them, everything that is no object replaces what was there. */
export function applyMergePatch(document: JsonObject, patch: Json): JsonObject {
  if (!isObject(patch)) {
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`)
  }
  return mergeInto(document, patch)
}

function mergeInto(target: JsonObject, patch: JsonObject): JsonObject {
  let result: MutableObject | undefined
  for (const key in patch) {
    if (key === '__proto__') continue
    const change = patch[key]
    const before = Object.hasOwn(target, key) ? target[key] : undefined
    const after = change === undefined || change === null ? undefined : mergeValue(before, change)
    if (after === before) continue
    result ??= { ...target }
    if (after === undefined) delete result[key]
    else result[key] = after
  }
  return result ?? target
}

function mergeValue(before: Json | undefined, change: Json): Json {
  if (isObject(change)) return isObject(before) ? mergeInto(before, change) : withoutNulls(change)
  const after = Array.isArray(change) ? change.map(insideList) : change
  return before !== undefined && equalJson(before, after) ? before : after
}

/** Objects in a list have nothing to be merged into: their nulls vanish. Nulls that are elements stay. */
function insideList(value: Json): Json {
  if (isObject(value)) return withoutNulls(value)
  return Array.isArray(value) ? value.map(insideList) : value
}

function withoutNulls(object: JsonObject): JsonObject {
  return mergeInto({}, object)
}

function goKind(value: Json): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'number'
}
