import { isArray, isObject, type Json, type JsonArray } from '../../json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { patchDoesNotFit } from '../errors.ts'
import { badElementOrder, brokenPatch, directive, missingMergeKey, plain, shown, unknownDirective } from './directives.ts'
import { mergeObjects, mergesLists } from './patch.ts'

/** Merges a list that the schema says merges: objects by their key, scalars as a set. */
export function mergeLists(original: JsonArray, patch: JsonArray, schema: JsonSchema | undefined): JsonArray {
  if (original.length === 0 && patch.length === 0) return original
  if (!holdsObjects(original, patch)) return inOrder(new Set([...original, ...patch]), patch, original, undefined)
  const key = schema?.['x-kubernetes-patch-merge-key']
  if (key === undefined) throw brokenPatch('cannot merge lists without merge key')
  const { kept, changes, replaces } = special(original, patch, key)
  if (replaces) return changes
  const merged: Json[] = [...kept]
  for (const change of changes) {
    if (!isObject(change) || change[key] === undefined) throw missingMergeKey(change, key)
    const index = merged.findIndex((item) => isObject(item) && item[key] === change[key])
    const before = merged[index]
    if (isObject(before)) merged[index] = mergeObjects(before, change, schema?.items)
    else merged.push(plain(change) ?? {})
  }
  return inOrder(merged, changes, kept, key)
}

/** Takes out what `$patch` in an element says: delete this one, or replace the whole list. */
function special(original: JsonArray, patch: JsonArray, key: string): { kept: JsonArray; changes: JsonArray; replaces: boolean } {
  let kept = original
  let replaces = false
  const changes: Json[] = []
  for (const item of patch) {
    const instruction = isObject(item) ? item[directive] : undefined
    if (!isObject(item) || instruction === undefined) {
      changes.push(item)
    } else if (instruction === 'delete') {
      const value = item[key]
      if (value === undefined) throw missingMergeKey(item, key)
      kept = kept.filter((each) => !isObject(each) || each[key] !== value)
    } else if (instruction === 'replace') {
      replaces = true
    } else if (instruction === 'merge') {
      throw brokenPatch('merging lists cannot yet be specified in the patch')
    } else {
      throw unknownDirective(instruction, item)
    }
  }
  return { kept, changes, replaces }
}

export function deleteValues(list: JsonArray, values: JsonArray): JsonArray {
  const gone = new Set<Json>(values)
  return list.filter((item) => !gone.has(item))
}

/** `$setElementOrder/<field>`: merges the field's list and puts it in the given order. `undefined` when there is no list at all. */
export function orderList(
  original: Json | undefined,
  patch: Json | undefined,
  order: Json,
  schema: JsonSchema | undefined,
): JsonArray | undefined {
  if (!isArray(order)) throw brokenPatch(`expected a list of elements in order, but received: ${shown(order)}`)
  const current = listOf(original)
  const changes = listOf(patch)
  if (current === undefined && changes === undefined) return undefined
  const key = schema?.['x-kubernetes-patch-merge-key']
  checkOrder(changes ?? [], order, key)
  const merged = mergedFor(current, changes, schema)
  return inOrder(merged, order, current ?? [], key)
}

function listOf(value: Json | undefined): JsonArray | undefined {
  if (value === undefined) return undefined
  if (!isArray(value)) throw brokenPatch(`expected a list, but received: ${shown(value)}`)
  return value
}

function mergedFor(current: JsonArray | undefined, changes: JsonArray | undefined, schema: JsonSchema | undefined): JsonArray {
  if (changes === undefined) return current ?? []
  if (current === undefined) return changes.map(plain).filter((item) => item !== undefined)
  return mergesLists(schema) ? mergeLists(current, changes, schema) : changes
}

/** What the patch changes must stand in the order that it asks for. */
function checkOrder(changes: JsonArray, order: JsonArray, key: string | undefined): void {
  if (order.length === 0) return
  let next = 0
  for (const change of changes) {
    if (isObject(change) && change[directive] !== undefined) continue
    const wanted = identity(change, key)
    while (next < order.length && identity(order[next] ?? null, key) !== wanted) next++
    if (next === order.length)
      throw brokenPatch(`The order in patch list:\n${shown(changes)}\n doesn't match $setElementOrder list:\n${shown(order)}\n`)
    next++
  }
}

/**
 * Items in the order of the patch; those that only the server has keep their places relative to the ones they share with it, and go to the
 * end where nothing tells. This is why a new container comes first.
 */
function inOrder(items: Iterable<Json>, order: JsonArray, before: JsonArray, key: string | undefined): JsonArray {
  const wanted = positions(order, key)
  const live = positions(before, key)
  const patched: Json[] = []
  const serverOnly: Json[] = []
  for (const item of items) (wanted.has(identity(item, key)) ? patched : serverOnly).push(item)
  const by = (places: ReadonlyMap<Json, number>) => (a: Json, b: Json) =>
    (places.get(identity(a, key)) ?? places.size) - (places.get(identity(b, key)) ?? places.size)
  patched.sort(by(wanted))
  serverOnly.sort(by(live))
  const result: Json[] = []
  let next = 0
  for (const item of patched) {
    const place = live.get(identity(item, key)) ?? -1
    let end = next
    while (end < serverOnly.length && (live.get(identity(serverOnly[end] ?? null, key)) ?? before.length) < place) end++
    result.push(...serverOnly.slice(next, end), item)
    next = end
  }
  return [...result, ...serverOnly.slice(next)]
}

function positions(list: JsonArray, key: string | undefined): ReadonlyMap<Json, number> {
  const places = new Map<Json, number>()
  for (const [index, item] of list.entries()) {
    const id = identity(item, key)
    if (!places.has(id)) places.set(id, index)
  }
  return places
}

function identity(item: Json, key: string | undefined): Json {
  if (key === undefined) return item
  if (!isObject(item)) throw badElementOrder()
  const value = item[key]
  if (value === undefined) throw missingMergeKey(item, key)
  return value
}

function holdsObjects(...lists: readonly JsonArray[]): boolean {
  const kinds = new Set<'object' | 'scalar'>()
  for (const list of lists) {
    for (const item of list) {
      if (isArray(item)) throw patchDoesNotFit()
      kinds.add(isObject(item) ? 'object' : 'scalar')
    }
  }
  if (kinds.size > 1) throw brokenPatch('list element types are not identical')
  return kinds.has('object')
}
