import { badRequest, invalidObject } from '../errors/api-error.ts'
import { DecodeError } from '../errors/decode-error.ts'
import { errorText, invalid } from '../errors/field-error.ts'
import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import { compileSchema, objectMetaSchema } from '../schema/index.ts'
import { encodeJson } from '../wire/index.ts'
import type { Served } from './catalog.ts'
import { metadataOf, nameOf, text } from './object-meta.ts'
import { inChangedSections } from './sections.ts'
import type { WriteContext } from './resource.ts'

/**
 * From what a client sent to an object of the kind it was sent to: types checked, unknown fields dropped, defaults filled in.
 */

export interface Decoded {
  readonly object: JsonObject
  /** Paths of fields that the kind does not have, in the order real servers report them. */
  readonly unknown: readonly string[]
}

const metadataSchema = compileSchema(objectMetaSchema)

/**
 * `before` is the object that `value` was patched from. Sections that they share were decoded once already: of a status that changes, the spec, which
 * is most of an object, is not looked at again.
 */
export function decodeObject(served: Served, value: JsonObject, context: WriteContext, before?: JsonObject): Decoded {
  const { type, schema } = served
  const unknownMetadata: string[] = []
  const unknown: string[] = []
  const isSameMetadata = before !== undefined && before.metadata === value.metadata
  const named = isSameMetadata ? value : { ...value, metadata: decodeMetadata(value.metadata, unknownMetadata) }
  if (type.isCustom) {
    const object = inChangedSections(named, before, (part) => {
      const malformed = schema.malformedEmbedded(part)
      if (malformed !== undefined) throw new DecodeError(errorText(malformed))
      return schema.applyDefaults(schema.prune(part, (path) => unknown.push(path)))
    })
    return { object, unknown: [...unknown, ...unknownMetadata] }
  }
  const pruned = inChangedSections(named, before, (part) => {
    const mismatch = schema.typeMismatch(part)
    if (mismatch !== undefined) {
      throw new DecodeError(
        `json: cannot unmarshal ${mismatch.actual} into Go struct field ${type.kind}.${mismatch.path} of type ${mismatch.expected}`,
      )
    }
    return schema.prune(part, (path) => unknown.push(path), 'as sent')
  })
  const complete = { ...pruned, apiVersion: served.apiVersion, kind: type.kind }
  return { object: type.behaviour.normalize?.(complete, context, before) ?? complete, unknown: [...unknownMetadata, ...unknown] }
}

/** `metadata` has the same fields in every kind; empty ones are as good as absent. */
export function decodeMetadata(value: Json | undefined, unknown: string[]): JsonObject {
  if (value === undefined || value === null) return {}
  if (!isObject(value))
    throw new DecodeError(`json: cannot unmarshal ${jsonType(value)} into Go struct field .metadata of type v1.ObjectMeta`)
  const mismatch = metadataSchema.typeMismatch(value)
  if (mismatch !== undefined) {
    throw new DecodeError(
      `json: cannot unmarshal ${mismatch.actual} into Go struct field ObjectMeta.metadata.${mismatch.path} of type ${mismatch.expected}`,
    )
  }
  const known = objectMetaSchema.properties ?? {}
  const metadata: MutableObject = {}
  for (const [field, content] of Object.entries(value)) {
    if (known[field] === undefined) unknown.push(`metadata.${field}`)
    else if (!isEmpty(content)) metadata[field] = content
  }
  return metadata
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true
  if (isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

function jsonType(value: Json): string {
  if (isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** Refuses a body whose apiVersion or kind is not the URL's. */
export function checkTypeMeta(served: Served, value: JsonObject): void {
  const { type, version, apiVersion } = served
  const kind = text(value.kind)
  const given = text(value.apiVersion)
  if (type.isCustom) {
    if (kind === '') throw badRequest(unrecognized(type.kind, `Object 'Kind' is missing in '${shortText(value)}' (${hex(value)})`))
    if (given !== apiVersion) throw wrongVersion(given, apiVersion)
    if (kind !== type.kind) {
      throw invalidObject({ group: type.group, kind }, nameOf(value), [invalid('kind', kind, `must be ${type.kind}`)])
    }
    return
  }
  const handled = `${kind || type.kind} in version ${JSON.stringify(given.split('/').at(-1) || version.name)} cannot be handled as a ${type.kind}`
  if (given !== '' && given !== apiVersion) {
    throw badRequest(`${handled}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(given)} in scheme "windlass"`)
  }
  if (kind !== '' && kind !== type.kind) {
    const internal = type.group === '' ? 'core' : (type.group.split('.')[0] ?? '')
    throw badRequest(`${handled}: converting (${version.name}.${kind}) to (${internal}.${type.kind}): unknown conversion`)
  }
}

export function wrongVersion(given: string, expected: string): Error {
  return badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`)
}

export function unrecognized(kind: string, why: string): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${why}`
}

export function cannotBeHandled(served: Served, why: string): Error {
  const { kind } = served.type
  return badRequest(`${kind} in version ${JSON.stringify(served.version.name)} cannot be handled as a ${kind}: ${why}`)
}

const shortText = (value: JsonObject): string => encodeJson(value).toString('utf8').slice(0, 200)
const hex = (value: JsonObject): string => encodeJson(value).subarray(0, 40).toString('hex')

/** Fills in what the URL knows and refuses what contradicts it. */
export function checkPlace(served: Served, object: JsonObject, namespace: string, name: string | undefined): JsonObject {
  const metadata = metadataOf(object)
  const given = text(metadata.namespace)
  const givenName = text(metadata.name)
  if (name !== undefined && givenName === '') {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  }
  if (name !== undefined && givenName !== name) {
    throw badRequest(`the name of the object (${givenName}) does not match the name on the URL (${name})`)
  }
  if (served.type.namespaced && given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  const placed: MutableObject = { ...metadata }
  if (name !== undefined) placed.name = name
  if (served.type.namespaced) placed.namespace = namespace
  else delete placed.namespace
  return { ...object, metadata: placed }
}
