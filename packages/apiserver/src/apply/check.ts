import { isArray, isObject, type Json, type JsonArray, type JsonObject } from '../json.ts'
import { formOf, type FieldType, type ListType, type MapType, memberType, type ScalarType } from './field-type.ts'
import { elementText, fieldElement, itemElement } from './path-element.ts'

/**
 * What keeps a configuration from being applied, in the words of real servers: fields that the schema does not have, values of another type,
 * list elements that cannot be told apart. Empty when it can be.
 */
export function configurationProblems(object: JsonObject, type: FieldType): readonly string[] {
  return check(object, type, '')
}

function check(value: Json, type: FieldType, path: string): readonly string[] {
  const form = formOf(type, value)
  if (form === 'map' && type.map !== undefined) {
    if (value === null) return []
    return isObject(value) ? checkMembers(value, type.map, path) : [at(path, `expected map, got ${goText(value)}`)]
  }
  if (form === 'list' && type.list !== undefined) {
    if (value === null) return []
    return isArray(value) ? checkItems(value, type.list, path) : [at(path, `expected list, got ${goText(value)}`)]
  }
  const problem = type.scalar === undefined ? undefined : scalarProblem(value, type.scalar)
  return problem === undefined ? [] : [at(path, problem)]
}

const at = (path: string, message: string): string => (path === '' ? message : `${path}: ${message}`)

function checkMembers(value: JsonObject, type: MapType, path: string): readonly string[] {
  const problems: string[] = []
  for (const key in value) {
    const member = value[key]
    const field = memberType(type, key)
    const below = `${path}${elementText(fieldElement(key))}`
    if (field === undefined) problems.push(at(below, 'field not declared in schema'))
    else if (member !== undefined) problems.push(...check(member, field, below))
  }
  return problems
}

function checkItems(list: JsonArray, type: ListType, path: string): readonly string[] {
  const problems: string[] = []
  const seen = new Set<string>()
  for (const [index, item] of list.entries()) {
    const element = type.isAtomic ? `i:${index}` : itemElement(type, item)
    if (typeof element !== 'string') {
      problems.push(at(path, `element ${index}: ${element.message}`))
      break
    }
    if (seen.has(element)) problems.push(at(path, `duplicate entries for key ${elementText(element)}`))
    seen.add(element)
    problems.push(...check(item, type.item, `${path}${elementText(element)}`))
  }
  return problems
}

function scalarProblem(value: Json, type: ScalarType): string | undefined {
  if (value === null) return undefined
  const actual = typeof value
  if (type === 'numeric') {
    return actual === 'number' || actual === 'bigint' ? undefined : `expected numeric (int or float), got ${goType(value)}`
  }
  if (type === 'untyped') return actual === 'object' ? `expected any scalar, got ${goText(value)}` : undefined
  return actual === type ? undefined : `expected ${type}, got ${goText(value)}`
}

function goType(value: Json): string {
  if (isArray(value)) return '[]interface {}'
  if (isObject(value)) return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return Number.isInteger(Number(value)) ? 'int64' : 'float64'
}

/** Values as real servers print them here: `{a=1;b="x"}`, `[1,2]`. */
function goText(value: Json): string {
  if (isArray(value)) return `[${value.map(goText).join(',')}]`
  if (!isObject(value)) return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${key}=${goText(value[key] ?? null)}`)
    .join(';')}}`
}
