import type { TSchema } from 'typebox'
import type { Json, JsonObject } from './json.ts'

/** The words a CRD's schema may use, and the ones we do. Anything else is a mistake in a declaration. */
const allowed = new Set([
  'type',
  'format',
  'description',
  'default',
  'nullable',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'anyOf',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
])

/** Thrown when a declared schema cannot be a CRD's. */
export class NotStructuralError extends Error {
  override readonly name = 'NotStructuralError'

  constructor(problems: readonly string[]) {
    super(`the schema is not structural:\n  ${problems.join('\n  ')}`)
  }
}

/**
 * A declared schema as plain JSON, fit for a CRD.
 *
 * Errors: NotStructuralError, which names every place that a Kubernetes API server would refuse.
 */
export function toStructural(schema: TSchema): JsonObject {
  // The typebox object minus its symbols and hidden marks, which is exactly what JSON keeps.
  const plain = JSON.parse(JSON.stringify(schema)) as JsonObject
  const problems = structuralProblems(plain)
  if (problems.length > 0) throw new NotStructuralError(problems)
  return withoutEmpty(plain)
}

/** What an API server would refuse, with the path of each place. */
export function structuralProblems(schema: JsonObject, path = ''): string[] {
  const problem = (text: string): string => `${path === '' ? '(root)' : path}: ${text}`
  const problems = Object.keys(schema)
    .filter((word) => !allowed.has(word))
    .map((word) => problem(`unknown word ${word}`))
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (schema['type'] !== undefined) problems.push(problem('int-or-string has no type'))
  } else {
    if (typeof schema['type'] !== 'string') problems.push(problem('type is missing'))
    if (schema['anyOf'] !== undefined) problems.push(problem('anyOf is for int-or-string only'))
  }
  if (schema['properties'] !== undefined && schema['additionalProperties'] !== undefined) {
    problems.push(problem('properties and additionalProperties exclude each other'))
  }
  if (schema['type'] === 'array' && !isObject(schema['items'])) problems.push(problem('an array needs items'))
  for (const name of strings(schema['required'])) {
    if (!isObject(schema['properties']) || !Object.hasOwn(schema['properties'], name))
      problems.push(problem(`required ${name} is not declared`))
  }
  problems.push(...listProblems(schema).map(problem))
  for (const [step, child] of children(schema)) problems.push(...structuralProblems(child, `${path}${step}`))
  return problems
}

/** The schemas below this one, each with its step of the path. */
export function children(schema: JsonObject): [string, JsonObject][] {
  const { properties, items, additionalProperties } = schema
  return [
    ...(isObject(properties) ? Object.entries(properties).map(([name, child]): [string, Json] => [`.${name}`, child]) : []),
    ...(items === undefined ? [] : [['[]', items] satisfies [string, Json]]),
    ...(additionalProperties === undefined ? [] : [['.*', additionalProperties] satisfies [string, Json]]),
  ].filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
}

/** Merging by key works only when every item surely has its keys. */
function listProblems(schema: JsonObject): string[] {
  const { 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': keys, items } = schema
  if (listType === undefined) return keys === undefined ? [] : ['map keys need the list type map']
  if (schema['type'] !== 'array' || !isObject(items)) return ['a list type needs an array']
  if (listType === 'set' && items['type'] === 'object') return ['a set holds scalars']
  if (listType !== 'map') return []
  const properties = isObject(items['properties']) ? items['properties'] : {}
  const required = strings(items['required'])
  return strings(keys).flatMap((key) => {
    const property = properties[key]
    if (!isObject(property)) return [`map key ${key} is not declared`]
    return required.includes(key) || property['default'] !== undefined ? [] : [`map key ${key} is neither required nor defaulted`]
  })
}

function strings(value: Json | undefined): string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : []
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** typebox writes `properties: {}` for an object without fields; a CRD says it by leaving the word out. */
function withoutEmpty(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([word, value]): [string, Json][] => {
    if (word === 'properties' && isObject(value)) {
      const fields = Object.entries(value).map(([name, child]): [string, Json] => [name, isObject(child) ? withoutEmpty(child) : child])
      return fields.length === 0 ? [] : [[word, Object.fromEntries(fields)]]
    }
    if ((word === 'items' || word === 'additionalProperties') && isObject(value)) return [[word, withoutEmpty(value)]]
    return word === 'required' && isList(value) && value.length === 0 ? [] : [[word, value]]
  })
  return Object.fromEntries(entries)
}
