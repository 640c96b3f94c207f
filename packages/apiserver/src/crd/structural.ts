import { regularExpression } from '../cel/index.ts'
import { errorText, forbidden, invalid, required, type FieldError } from '../errors/field-error.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { word } from './model.ts'

type Level = 'root' | 'item' | 'field'

/**
 * Why a schema is not structural. Structural schemas give every value one type, outside of the logical words (allOf, anyOf, oneOf, not),
 * so that objects can be pruned and defaulted by them.
 */
export function structuralErrors(schema: JsonSchema, field: string): readonly FieldError[] {
  if (faultless.has(schema)) return []
  const errors = [...invariants(schema, 'root', field), ...completeness(schema, schema, field, field)]
  if (errors.length === 0) faultless.add(schema)
  return errors.toSorted((x, y) => (errorText(x) < errorText(y) ? -1 : 1))
}

/** Schemas that have been checked: definitions are looked at again whenever their status may change. */
const faultless = new WeakSet<JsonSchema>()

const unsupported: readonly (readonly [string, string])[] = [
  ['id', 'id'],
  ['$schema', 'schema'],
  ['$ref', '$ref'],
  ['patternProperties', 'patternProperties'],
  ['dependencies', 'dependencies'],
  ['additionalItems', 'additionalItems'],
  ['definitions', 'definitions'],
]

/** Words that make it pointless to ask whether a schema is structural: the first one found, in the words of the server. */
export function unsupportedWord(schema: JsonSchema): string | undefined {
  for (const [name, shown] of unsupported) if (isSet(word(schema, name))) return `OpenAPIV3Schema '${shown}' is not supported`
  if (Array.isArray(schema.items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  }
  for (const child of children(schema)) {
    const found = unsupportedWord(child)
    if (found !== undefined) return found
  }
  return undefined
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== '' && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

function children(schema: JsonSchema): readonly JsonSchema[] {
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = schema
  return [
    ...Object.values(properties ?? {}),
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(allOf ?? []),
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    ...(not === undefined ? [] : [not]),
  ]
}

const emptyTypeTexts: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

function invariants(schema: JsonSchema, level: Level, field: string): readonly FieldError[] {
  const { type = '', items, properties = {}, additionalProperties } = schema
  const errors: FieldError[] = []
  if (type === 'array' && items === undefined) errors.push(required(`${field}.items`, 'must be specified'))
  if (items !== undefined) errors.push(...invariants(items, 'item', `${field}.items`))
  for (const [name, property] of Object.entries(properties)) errors.push(...invariants(property, 'field', `${field}.properties[${name}]`))
  if (additionalProperties !== undefined) {
    if (level === 'root') errors.push(forbidden(`${field}.additionalProperties`, 'must not be used at the root'))
    if (typeof additionalProperties === 'object') errors.push(...invariants(additionalProperties, 'field', `${field}.additionalProperties`))
  }
  errors.push(...extensionErrors(schema, field))
  errors.push(...valueErrors(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), field))
  errors.push(...typeErrors(schema, level, field))
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true
  return [...errors, ...resourceErrors(schema, isResource, level, field)]
}

function extensionErrors(schema: JsonSchema, field: string): readonly FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return []
  const clashing = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const
  return clashing
    .filter((name) => schema[name] === true)
    .map((name) => invalid(`${field}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'))
}

function typeErrors(schema: JsonSchema, level: Level, field: string): readonly FieldError[] {
  const { type = '' } = schema
  const errors: FieldError[] = []
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const needsNoType = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true'
    errors.push(type === '' ? required(`${field}.type`, detail) : invalid(`${field}.type`, type, detail))
  } else if (type === '' && !needsNoType) errors.push(required(`${field}.type`, emptyTypeTexts[level]))
  if (isEmbedded && schema.additionalProperties !== undefined) {
    errors.push(forbidden(`${field}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'))
  }
  if (level === 'root' && type !== '' && type !== 'object') errors.push(invalid(`${field}.type`, type, 'must be object at the root'))
  return errors
}

function resourceErrors(schema: JsonSchema, isResource: boolean, level: Level, field: string): readonly FieldError[] {
  const { properties = {} } = schema
  const errors: FieldError[] = []
  for (const name of isResource ? ['kind', 'apiVersion'] : []) {
    const property = properties[name]
    if (property !== undefined && property.type !== 'string') {
      errors.push(invalid(`${field}.properties[${name}].type`, property.type ?? '', 'must be string'))
    }
  }
  const { metadata } = properties
  if (metadata !== undefined) {
    const at = `${field}.properties[metadata]`
    if (isResource && metadata.type !== 'object') errors.push(invalid(`${at}.type`, metadata.type ?? '', 'must be object'))
    if (level === 'root' && !isPlainMetadata(metadata)) {
      errors.push(forbidden(at, 'must not specify anything other than name and generateName, but metadata is implicitly specified'))
    }
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (schema['x-kubernetes-embedded-resource'] === true && !isOpen && Object.keys(properties).length === 0) {
    const detail = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
    errors.push(required(`${field}.properties`, detail))
  }
  return errors
}

/** Metadata may say what names look like, and nothing else. */
function isPlainMetadata(metadata: JsonSchema): boolean {
  const words = Object.entries(metadata).filter(
    ([name, value]) => isSet(value) && value !== false && !['type', 'default', 'properties'].includes(name),
  )
  const names = Object.keys(metadata.properties ?? {})
  return words.length === 0 && names.every((name) => name === 'name' || name === 'generateName')
}

const isOnly = (schema: JsonSchema | undefined, type: string): boolean =>
  schema !== undefined && schema.type === type && Object.values(schema).filter(isSet).length === 1

/** `anyOf: [{type: integer}, {type: string}]`, the one place where types may stand in a logical word. */
function isIntOrString(anyOf: readonly JsonSchema[] | undefined): boolean {
  return anyOf?.length === 2 && isOnly(anyOf[0], 'integer') && isOnly(anyOf[1], 'string')
}

/** The logical words of a schema, and its pattern. */
function valueErrors(schema: JsonSchema, skipsAnyOf: boolean, skipsFirstAllOf: boolean, field: string): readonly FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = '' } = schema
  return [
    ...(skipsAnyOf ? [] : anyOf.flatMap((each, index) => nestedErrors(each, false, `${field}.anyOf[${index}]`))),
    ...allOf.flatMap((each, index) => nestedErrors(each, skipsFirstAllOf && index === 0, `${field}.allOf[${index}]`)),
    ...oneOf.flatMap((each, index) => nestedErrors(each, false, `${field}.oneOf[${index}]`)),
    ...(not === undefined ? [] : nestedErrors(not, false, `${field}.not`)),
    ...(pattern === '' ? [] : patternErrors(pattern, field)),
  ]
}

function patternErrors(pattern: string, field: string): readonly FieldError[] {
  try {
    regularExpression(pattern)
    return []
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [invalid(`${field}.pattern`, pattern, `must be a valid regular expression, but isn't: ${why}`)]
  }
}

/** What a schema inside a logical word may not say, and how that is worded. */
const forbiddenInside: readonly (readonly [keyof JsonSchema, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
]

function nestedErrors(schema: JsonSchema, skipsAnyOf: boolean, field: string): readonly FieldError[] {
  const { items, properties = {} } = schema
  const errors = [...valueErrors(schema, skipsAnyOf, false, field)]
  if (items !== undefined) errors.push(...nestedErrors(items, false, `${field}.items`))
  for (const [name, property] of Object.entries(properties)) errors.push(...nestedErrors(property, false, `${field}.properties[${name}]`))
  for (const [name, text] of forbiddenInside) if (isSaid(schema, name)) errors.push(forbidden(`${field}.${name}`, text))
  if (Object.hasOwn(properties, 'metadata')) {
    errors.push(forbidden(`${field}.properties[metadata]`, 'must not be specified in a nested context'))
  }
  return errors
}

function isSaid(schema: JsonSchema, name: keyof JsonSchema): boolean {
  const value = schema[name]
  if (name === 'additionalProperties') return value === true || typeof value === 'object'
  if (name === 'default') return value !== undefined && value !== null
  return value !== false && isSet(value)
}

/** Everything that a logical word speaks of must also be described outside of it. */
function completeness(said: JsonSchema, schema: JsonSchema, schemaField: string, saidField: string): readonly FieldError[] {
  const { not, allOf = [], anyOf = [], oneOf = [] } = said
  const parts: readonly (readonly [JsonSchema, string])[] = [
    ...(not === undefined ? [] : [[not, `${saidField}.not`] as const]),
    ...allOf.map((each, index) => [each, `${saidField}.allOf[${index}]`] as const),
    ...anyOf.map((each, index) => [each, `${saidField}.anyOf[${index}]`] as const),
    ...oneOf.map((each, index) => [each, `${saidField}.oneOf[${index}]`] as const),
  ]
  return parts.flatMap(([part, at]) => nestedCompleteness(part, schema, schemaField, at))
}

function nestedCompleteness(
  said: JsonSchema,
  schema: JsonSchema | undefined,
  schemaField: string,
  saidField: string,
): readonly FieldError[] {
  if (schema === undefined) return [required(schemaField, `because it is defined in ${saidField}`)]
  const errors = [...completeness(said, schema, schemaField, saidField)]
  if (said.items !== undefined) errors.push(...nestedCompleteness(said.items, schema.items, `${schemaField}.items`, `${saidField}.items`))
  for (const [name, property] of Object.entries(said.properties ?? {})) {
    const described = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined
    errors.push(...nestedCompleteness(property, described, `${schemaField}.properties[${name}]`, `${saidField}.properties[${name}]`))
  }
  return errors
}
