import { equalJson, isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import { leaf, node, self, sortInPlace, type Fields } from './fields.ts'
import { formOf, freeForm, memberType, type FieldType, type Form, type ListType, type MapType } from './field-type.ts'
import { fieldElement, itemElement } from './path-element.ts'

/** What a write did to an object, as sets of fields. `undefined` where nothing was done. */
export interface Comparison {
  /** Fields that are new or have another value. */
  readonly changed: Fields | undefined
  /** Fields that are gone. */
  readonly removed: Fields | undefined
}

const same: Comparison = { changed: undefined, removed: undefined }

/**
 * Compares two values of a type. Parts that are the same reference are not looked at, so that the cost is that of what changed.
 *
 * Unlike the fields that an applied configuration names, those of something new include every object on the way down: whoever made an
 * object owns it, not only what is in it.
 */
export function compare(before: Json | undefined, after: Json | undefined, type: FieldType): Comparison {
  if (before === after) return same
  if (before === undefined) return { changed: everything(after, type), removed: undefined }
  if (after === undefined) return { changed: undefined, removed: everything(before, type) }
  const form = formOf(type, before)
  const nextForm = formOf(type, after)
  if (form === nextForm) return compareAs(form, before, after, type)
  return merged(compareAs(form, before, after, type), compareAs(nextForm, before, after, type))
}

function merged(a: Comparison, b: Comparison): Comparison {
  return { changed: joined(a.changed, b.changed), removed: joined(a.removed, b.removed) }
}

/** Two views of one node: at most one of them has fields below it. */
function joined(a: Fields | undefined, b: Fields | undefined): Fields | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return node(true, Object.keys(a).length > Object.keys(b).length ? a : b)
}

function compareAs(form: Form, before: Json, after: Json, type: FieldType): Comparison {
  if (form === 'map' && type.map !== undefined && !type.map.isAtomic) {
    const old = isObject(before) ? before : {}
    const next = isObject(after) ? after : {}
    if (!isEmptyObject(old) || !isEmptyObject(next)) return compareMembers(old, next, type.map)
  } else if (form === 'list' && type.list !== undefined && !type.list.isAtomic) {
    const old = isArray(before) ? before : []
    const next = isArray(after) ? after : []
    if (old.length > 0 || next.length > 0) return compareItems(old, next, type.list)
  }
  return equalJson(before, after) ? same : { changed: leaf, removed: undefined }
}

function isEmptyObject(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

/** Comparisons of children, collected under their parent. */
class Children {
  private changed: MutableObject | undefined
  private removed: MutableObject | undefined

  add(element: string, { changed, removed }: Comparison): void {
    if (changed !== undefined) (this.changed ??= {})[element] = changed
    if (removed !== undefined) (this.removed ??= {})[element] = removed
  }

  get comparison(): Comparison {
    return this.changed === undefined && this.removed === undefined ? same : { changed: this.changed, removed: this.removed }
  }
}

function compareMembers(before: JsonObject, after: JsonObject, type: MapType): Comparison {
  const children = new Children()
  for (const key in after) {
    const value = after[key]
    const old = before[key]
    if (value !== old) children.add(fieldElement(key), compare(old, value, memberType(type, key) ?? freeForm))
  }
  for (const key in before) {
    if (after[key] === undefined) children.add(fieldElement(key), compare(before[key], undefined, memberType(type, key) ?? freeForm))
  }
  return children.comparison
}

function compareItems(before: JsonArray, after: JsonArray, type: ListType): Comparison {
  return compareInPlace(before, after, type) ?? compareByName(before, after, type)
}

/** The common case: the same elements in the same places. `undefined` when it is not that. */
function compareInPlace(before: JsonArray, after: JsonArray, type: ListType): Comparison | undefined {
  if (before.length !== after.length) return undefined
  const children = new Children()
  for (const [index, item] of after.entries()) {
    const old = before[index]
    if (old === undefined || old === item) continue
    const element = itemElement(type, item)
    if (typeof element !== 'string' || element !== itemElement(type, old)) return undefined
    children.add(element, compare(old, item, type.item))
  }
  return children.comparison
}

function compareByName(before: JsonArray, after: JsonArray, type: ListType): Comparison {
  const old = byName(before, type)
  const next = byName(after, type)
  const children = new Children()
  for (const element of new Set([...old.keys(), ...next.keys()])) {
    children.add(element, compareNamed(old.get(element) ?? [], next.get(element) ?? [], type))
  }
  return children.comparison
}

/** Elements that share a name with another are one field together. */
function compareNamed(before: JsonArray, after: JsonArray, type: ListType): Comparison {
  const wasRepeated = before.length > 1
  const isRepeated = after.length > 1
  if (!wasRepeated && !isRepeated) return compare(before[0], after[0], type.item)
  if (wasRepeated && isRepeated) return equalJson(before, after) ? same : { changed: leaf, removed: undefined }
  if (wasRepeated) return { changed: compare(undefined, after[0], type.item).changed, removed: leaf }
  return { changed: leaf, removed: compare(before[0], undefined, type.item).removed }
}

function byName(list: JsonArray, type: ListType): ReadonlyMap<string, JsonArray> {
  const items = new Map<string, Json[]>()
  for (const item of list) {
    const element = itemElement(type, item)
    if (typeof element !== 'string') continue
    const known = items.get(element)
    if (known === undefined) items.set(element, [item])
    else known.push(item)
  }
  return items
}

/** Every field of a value, including the objects and lists that hold others; in the order in which sets are stored, so that nobody has to sort it. */
function everything(value: Json | undefined, type: FieldType): Fields {
  if (typeof value !== 'object') return leaf
  const form = formOf(type, value)
  if (form === 'map' && type.map !== undefined && !type.map.isAtomic && isObject(value)) return everyMember(value, type.map)
  if (form === 'list' && type.list !== undefined && !type.list.isAtomic && isArray(value)) return everyItem(value, type.list)
  return leaf
}

function everyMember(object: JsonObject, type: MapType): Fields {
  const keys = Object.keys(object)
  if (keys.length === 0) return leaf
  sortInPlace(keys)
  const fields: MutableObject = { [self]: leaf }
  for (const key of keys) fields[fieldElement(key)] = everything(object[key], memberType(type, key) ?? freeForm)
  return fields
}

function everyItem(list: JsonArray, type: ListType): Fields {
  const items = byName(list, type)
  if (items.size === 0) return leaf
  const elements = [...items.keys()]
  sortInPlace(elements)
  const fields: MutableObject = { [self]: leaf }
  for (const element of elements) {
    const named = items.get(element) ?? []
    fields[element] = named.length > 1 ? leaf : everything(named[0], type.item)
  }
  return fields
}
