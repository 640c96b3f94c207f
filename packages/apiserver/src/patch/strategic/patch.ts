import { objectMetaSchema } from '../../schema/object-meta.ts'
import { badRequest } from '../../errors/api-error.ts'
import { equalJson, isArray, isObject, type Json, type JsonObject, type MutableObject } from '../../json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import {
  badPrimitiveList,
  badRetainKeys,
  deleteFromList,
  directive,
  elementOrder,
  plain,
  retainKeys,
  unknownDirective,
} from './directives.ts'
import { deleteValues, mergeLists, orderList } from './lists.ts'
import { checkTypes } from './types.ts'

/** Applies a strategic merge patch to an object of a built-in kind. */
export function applyStrategicPatch(document: JsonObject, patch: Json, schema: JsonSchema): JsonObject {
  if (!isObject(patch)) throw badRequest(`json: cannot unmarshal a patch that is no object into Go value of type map[string]interface {}`)
  const result = mergeObjects(document, patch, withMetadata(schema))
  if (equalJson(document, result)) return document
  checkTypes(document, result, withMetadata(schema), patch)
  return result
}

const completed = new WeakMap<JsonSchema, JsonSchema>()

/** The schema with the rules of `metadata`, which kinds leave open because they are the same everywhere. */
function withMetadata(schema: JsonSchema): JsonSchema {
  let complete = completed.get(schema)
  if (complete === undefined) {
    complete = { ...schema, properties: { ...schema.properties, metadata: objectMetaSchema } }
    completed.set(schema, complete)
  }
  return complete
}

export function mergeObjects(original: JsonObject, patch: JsonObject, schema: JsonSchema | undefined): JsonObject {
  const instruction = patch[directive]
  if (instruction !== undefined) return replaceOrDelete(instruction, patch)
  const result: MutableObject = { ...retained(original, patch) }
  const ordered = new Set<string>()
  for (const key in patch) {
    if (!key.startsWith(elementOrder)) continue
    const field = key.slice(elementOrder.length)
    ordered.add(field)
    const list = orderList(result[field], patch[field], patch[key] ?? null, fieldSchema(schema, field))
    if (list !== undefined) result[field] = list
  }
  for (const key in patch) {
    const change = patch[key]
    if (change === undefined || key === '__proto__' || isInstruction(key) || ordered.has(key)) continue
    if (key.startsWith(deleteFromList)) {
      const field = key.slice(deleteFromList.length)
      const current = result[field]
      if (change !== null && !isArray(change)) throw badPrimitiveList()
      if (change !== null && isArray(current)) result[field] = deleteValues(current, change)
      continue
    }
    const merged = change === null ? undefined : mergeMember(result[key], change, fieldSchema(schema, key))
    if (merged === undefined) delete result[key]
    else result[key] = merged
  }
  return result
}

function isInstruction(key: string): boolean {
  return key === directive || key === retainKeys || key.startsWith(elementOrder)
}

function replaceOrDelete(instruction: Json, patch: JsonObject): JsonObject {
  if (instruction === 'delete') return {}
  if (instruction !== 'replace') throw unknownDirective(instruction, patch)
  const { [directive]: _, ...rest } = patch
  return rest
}

/** The original with only the members that `$retainKeys` lists, where the patch has that instruction. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[retainKeys]
  if (keys === undefined) return original
  if (!isArray(keys)) throw badRetainKeys()
  const kept = new Set<Json>(keys)
  for (const key in patch) {
    if (key !== retainKeys && patch[key] !== null && !key.startsWith('$') && !kept.has(key)) throw badRetainKeys()
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => kept.has(key)))
}

function mergeMember(original: Json | undefined, change: Json, schema: JsonSchema | undefined): Json | undefined {
  const replaces = strategies(schema).includes('replace')
  if (isObject(original) && isObject(change)) return replaces ? change : mergeObjects(original, change, schema)
  if (isArray(original) && isArray(change)) return mergesLists(schema) ? mergeLists(original, change, schema) : change
  return plain(change)
}

export function mergesLists(schema: JsonSchema | undefined): boolean {
  return strategies(schema).includes('merge')
}

function strategies(schema: JsonSchema | undefined): readonly string[] {
  return schema?.['x-kubernetes-patch-strategy']?.split(',') ?? []
}

function fieldSchema(schema: JsonSchema | undefined, field: string): JsonSchema | undefined {
  const named = schema?.properties?.[field]
  if (named !== undefined) return named
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined
}
