import { isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import { eachChild, isMember, leaf, node, noFields, type Fields } from './fields.ts'
import { formOf, freeForm, memberType, type FieldType, type ListType, type MapType } from './field-type.ts'
import { fieldElement, itemElement } from './path-element.ts'

/**
 * The fields that a configuration names: its scalars, its atomic lists and maps, its list elements, its empty objects, and members of maps
 * that have no fixed fields. Objects that merely hold others are not among them, so that many can share one.
 */
export function fieldSet(object: JsonObject, type: FieldType): Fields {
  return fieldsOf(object, type) ?? noFields
}

function fieldsOf(value: Json, type: FieldType): Fields | undefined {
  const form = formOf(type, value)
  if (form === 'map' && type.map !== undefined && !type.map.isAtomic) return isObject(value) ? fieldsOfMap(value, type.map) : undefined
  if (form === 'list' && type.list !== undefined && !type.list.isAtomic) return isArray(value) ? fieldsOfList(value, type.list) : undefined
  return leaf
}

function fieldsOfMap(value: JsonObject, type: MapType): Fields | undefined {
  const children: MutableObject = {}
  for (const key in value) {
    const member = value[key]
    if (member === undefined) continue
    const below = fieldsOf(member, memberType(type, key) ?? freeForm)
    const isField = isNothing(member) || !type.fields.has(key) || (below !== undefined && isMember(below))
    const found = node(isField, below)
    if (found !== undefined) children[fieldElement(key)] = found
  }
  return node(false, children)
}

function isNothing(value: Json): boolean {
  if (value === null) return true
  if (!isObject(value)) return false
  for (const _ in value) return false
  return true
}

function fieldsOfList(list: JsonArray, type: ListType): Fields | undefined {
  const children: MutableObject = {}
  for (const item of list) {
    const element = itemElement(type, item)
    if (typeof element !== 'string') continue
    // Elements that share a name are one field together.
    children[element] = Object.hasOwn(children, element) ? leaf : (node(true, fieldsOf(item, type.item)) ?? leaf)
  }
  return node(false, children)
}

/** The set with every named field of a struct that leads to one of its fields: what `spec` means when `spec.replicas` is owned. */
export function withNamedParents(set: Fields, type: FieldType): Fields {
  const result: MutableObject = {}
  eachChild(set, (element, below) => {
    const isNamed = element.startsWith('f:') && type.map?.fields.has(element.slice(2)) === true
    const inner = withNamedParents(below, elementType(type, element))
    result[element] = node(isNamed || isMember(below), inner) ?? leaf
  })
  return result
}

function elementType(type: FieldType, element: string): FieldType {
  if (!element.startsWith('f:')) return type.list?.item ?? freeForm
  return (type.map && memberType(type.map, element.slice(2))) ?? freeForm
}
