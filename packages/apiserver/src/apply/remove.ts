import { isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import { child, hasChildren, isMember, type Fields } from './fields.ts'
import { formOf, freeForm, memberType, type FieldType, type ListType, type MapType } from './field-type.ts'
import { fieldElement, itemElement } from './path-element.ts'

/**
 * What is left of an object when fields are taken out of it.
 *
 * A list or map that loses its last element becomes `emptied`: null where real servers leave a null behind (and the schema then refuses
 * it), `undefined` to drop it.
 */
export function removeFields(object: JsonObject, fields: Fields, type: FieldType, emptied: null | undefined): JsonObject {
  const rest = type.map === undefined ? object : removeMembers(object, fields, type.map, emptied)
  return rest ?? {}
}

function removeFrom(value: Json, fields: Fields, type: FieldType, emptied: null | undefined): Json | undefined {
  const form = formOf(type, value)
  if (form === 'scalar') return value
  if (form === 'map' && isObject(value) && type.map?.isAtomic === false) return removeMembers(value, fields, type.map, emptied) ?? emptied
  if (form === 'list' && isArray(value) && type.list?.isAtomic === false) return removeItems(value, fields, type.list, emptied) ?? emptied
  return emptied
}

/** `undefined` when nothing is left. */
function removeMembers(value: JsonObject, fields: Fields, type: MapType, emptied: null | undefined): JsonObject | undefined {
  let result: MutableObject | undefined
  let left = 0
  for (const key in value) {
    const member = value[key]
    if (member === undefined) continue
    const rest = remainder(member, child(fields, fieldElement(key)), memberType(type, key) ?? freeForm, emptied)
    if (rest !== undefined) left++
    if (rest === member) continue
    result ??= { ...value }
    if (rest === undefined) delete result[key]
    else result[key] = rest
  }
  return left === 0 ? undefined : (result ?? value)
}

function removeItems(value: JsonArray, fields: Fields, type: ListType, emptied: null | undefined): JsonArray | undefined {
  const result: Json[] = []
  for (const item of value) {
    const element = itemElement(type, item)
    const rest = remainder(item, typeof element === 'string' ? child(fields, element) : undefined, type.item, emptied)
    if (rest !== undefined) result.push(rest)
  }
  if (result.length === 0) return undefined
  const isSame = result.length === value.length && result.every((item, index) => item === value[index])
  return isSame ? value : result
}

function remainder(value: Json, fields: Fields | undefined, type: FieldType, emptied: null | undefined): Json | undefined {
  if (fields === undefined) return value
  if (isMember(fields)) return undefined
  return hasChildren(fields) ? removeFrom(value, fields, type, emptied) : value
}
