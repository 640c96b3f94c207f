import { equalJson, isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import { formOf, freeForm, memberType, type FieldType, type ListType, type MapType } from './field-type.ts'
import { itemElement } from './path-element.ts'

/**
 * The live object with an applied configuration laid over it. Nothing is taken away here; what stays equal stays the same reference.
 */
export function mergeObjects(live: JsonObject, applied: JsonObject, type: FieldType): JsonObject {
  return type.map === undefined ? applied : mergeMembers(live, applied, type.map)
}

function mergeValues(live: Json | undefined, applied: Json, type: FieldType): Json {
  if (live === undefined) return applied
  const form = formOf(type, applied)
  if (form === 'map' && type.map !== undefined && !type.map.isAtomic && (isObject(live) || isObject(applied))) {
    const merged = mergeMembers(isObject(live) ? live : {}, isObject(applied) ? applied : {}, type.map)
    if (!isEmptyObject(merged)) return merged
  } else if (form === 'list' && type.list !== undefined && !type.list.isAtomic && (isArray(live) || isArray(applied))) {
    const merged = mergeItems(isArray(live) ? live : [], isArray(applied) ? applied : [], type.list)
    if (merged.length > 0) return merged
  }
  return equalJson(live, applied) ? live : applied
}

function isEmptyObject(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

function mergeMembers(live: JsonObject, applied: JsonObject, type: MapType): JsonObject {
  let result: MutableObject | undefined
  for (const key in applied) {
    const value = applied[key]
    if (key === '__proto__' || value === undefined) continue
    const before = Object.hasOwn(live, key) ? live[key] : undefined
    const after = mergeValues(before, value, memberType(type, key) ?? freeForm)
    if (after === before) continue
    result ??= { ...live }
    result[key] = after
  }
  return result ?? live
}

interface Named {
  readonly element: string
  readonly item: Json
}

/**
 * Two lists of named elements as one. Elements of both come in the order of the applied list; those that only one side has keep their place
 * relative to the shared ones around them, the live ones first.
 */
function mergeItems(live: JsonArray, applied: JsonArray, type: ListType): JsonArray {
  const ours = named(live, type)
  const theirs = named(applied, type)
  const liveByName = unique(ours)
  const appliedNames = new Set(theirs.map(({ element }) => element))
  const shared = theirs.filter(({ element }) => liveByName.has(element)).values()
  let nextShared = shared.next().value?.element
  let next = 0
  const result: Json[] = []
  const takeLiveUpToShared = (): void => {
    for (let at = ours[next]; at !== undefined && at.element !== nextShared; at = ours[++next]) {
      if (!appliedNames.has(at.element)) result.push(at.item)
    }
  }
  for (const { element, item } of theirs) {
    takeLiveUpToShared()
    result.push(mergeValues(liveByName.get(element), item, type.item))
    if (element !== nextShared) continue
    next++
    nextShared = shared.next().value?.element
  }
  takeLiveUpToShared()
  const isSame = result.length === live.length && result.every((item, index) => item === live[index])
  return isSame ? live : result
}

function named(list: JsonArray, type: ListType): readonly Named[] {
  const items: Named[] = []
  for (const item of list) {
    const element = itemElement(type, item)
    if (typeof element === 'string') items.push({ element, item })
  }
  return items
}

/** Live elements by name. Of several with one name none is merged with: the applied one takes their place. */
function unique(items: readonly Named[]): ReadonlyMap<string, Json | undefined> {
  const found = new Map<string, Json | undefined>()
  for (const { element, item } of items) found.set(element, found.has(element) ? undefined : item)
  return found
}
