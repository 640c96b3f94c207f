import type { ApiGroup } from '../discovery/groups.ts'
import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import { componentsOf } from './components.ts'
import { referenceTarget } from './names.ts'
import { pathsOf } from './operations.ts'
import { serverInfo } from './v3.ts'

/**
 * The whole API as one OpenAPI v2 (Swagger) document, for clients before Kubernetes 1.27: their `explain`, their check for dry run
 * and their validation read it.
 */
export function describeAsV2(groups: readonly ApiGroup[]): JsonObject {
  const paths: MutableObject = {}
  const definitions: MutableObject = {}
  for (const served of groups.flatMap(({ versions }) => versions)) {
    for (const [path, item] of Object.entries(pathsOf(served))) paths[path] = pathItem(item)
    for (const [name, schema] of Object.entries(componentsOf(served))) definitions[name] ??= schemaToV2(schema)
  }
  return { swagger: '2.0', info: serverInfo, paths, definitions }
}

function pathItem(item: JsonObject): JsonObject {
  const converted: MutableObject = {}
  for (const [key, value] of Object.entries(item)) {
    if (key === 'parameters') converted[key] = isArray(value) ? value.map(parameter) : []
    else if (isObject(value)) converted[key] = operation(value)
  }
  return converted
}

/** In v2 the body is one more parameter, and media types stand beside instead of around schemas. */
function operation({ requestBody, parameters, responses, ...rest }: JsonObject): JsonObject {
  const query = isArray(parameters) ? parameters.map(parameter) : []
  const body = isObject(requestBody) ? requestBody : undefined
  const consumes = isObject(body?.content) ? Object.keys(body.content) : []
  const bodyParameter = { name: 'body', in: 'body', ...(body?.required === true ? { required: true } : {}), schema: schemaIn(body) ?? {} }
  const codes = isObject(responses) ? Object.entries(responses) : []
  return {
    ...rest,
    ...(consumes.length === 0 ? {} : { consumes }),
    produces: ['application/json'],
    parameters: body === undefined ? query : [bodyParameter, ...query],
    responses: Object.fromEntries(codes.map(([code, answer]) => [code, response(answer)])),
  }
}

function parameter(value: Json): JsonObject {
  if (!isObject(value)) return {}
  const { schema, ...rest } = value
  return isObject(schema) ? { ...rest, ...schema } : rest
}

function response(answer: Json): JsonObject {
  const schema = isObject(answer) ? schemaIn(answer) : undefined
  const description = isObject(answer) ? (answer.description ?? '') : ''
  return { description, ...(schema === undefined ? {} : { schema }) }
}

/** The schema of the first media type of a body or an answer. */
function schemaIn(value: JsonObject | undefined): JsonObject | undefined {
  const media = isObject(value?.content) ? Object.values(value.content)[0] : undefined
  return isObject(media) && media.schema !== undefined ? schemaToV2(media.schema) : undefined
}

/**
 * A schema in the words of v2, which are fewer. Where a value may take forms that v2 cannot tell (null, one of several types,
 * unknown fields), its content is left open: old clients validate by this, and would refuse what the server takes.
 */
export function schemaToV2(schema: Json): JsonObject {
  if (!isObject(schema)) return {}
  const target = referenceTarget(schema.$ref) ?? referenceTarget(onlyAlternative(schema.allOf)?.$ref)
  if (target !== undefined) return { $ref: `#/definitions/${target}`, ...described(schema) }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || schema.nullable === true
  const isListOfUnknown = schema.type === 'array' && !isObject(schema.items)
  const converted: MutableObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (unknownInV2.has(key) || ((isOpen || isListOfUnknown) && contentWords.has(key))) continue
    converted[key] = convertedWord(key, value)
  }
  // An object whose fields are open is still an object; a value that may be null has no type that v2 can name.
  if (isOpen && schema.nullable !== true && schema.type === 'object') converted.type = 'object'
  return converted
}

const unknownInV2: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'nullable',
  'default',
  'example',
  'x-kubernetes-validations',
])
const contentWords: ReadonlySet<string> = new Set(['type', 'items', 'properties', 'additionalProperties', 'required'])

function convertedWord(key: string, value: Json): Json {
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, schemaToV2(property)]))
  }
  if (key === 'items') return schemaToV2(value)
  if (key === 'additionalProperties') return isObject(value) ? schemaToV2(value) : value
  return value
}

function onlyAlternative(allOf: Json | undefined): JsonObject | undefined {
  const [only, ...more] = isArray(allOf) ? allOf : []
  return more.length === 0 && isObject(only) ? only : undefined
}

function described({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description }
}
