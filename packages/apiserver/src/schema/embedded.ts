import { type FieldError, invalid, required } from '../errors/field-error.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { labelErrors } from '../registry/object-meta.ts'
import { pathSegmentProblems, serviceNameProblems } from '../registry/names.ts'
import { shownValue } from './go-text.ts'
import type { JsonSchema } from './json-schema.ts'
import { objectMetaSchema } from './object-meta.ts'
import { fieldPath } from './place.ts'
import { reachOf } from './reach.ts'
import { typeMismatch } from './type-mismatch.ts'

const resources = reachOf((schema) => schema['x-kubernetes-embedded-resource'] === true)

/** What is wrong with resources inside an object: each needs an apiVersion and a kind, and its metadata must be metadata. */
export function embeddedErrors(schema: JsonSchema, value: Json, path = ''): readonly FieldError[] {
  const errors: FieldError[] = []
  resources.visit(schema, value, path, (resource, at) => {
    if (!isObject(resource)) return
    for (const error of resourceErrors(resource, at)) errors.push(error)
  })
  return errors
}

/** The first embedded resource that cannot even be decoded: real servers refuse the request, before they validate. */
export function malformedEmbedded(schema: JsonSchema, value: Json): FieldError | undefined {
  let found: FieldError | undefined
  resources.visit(schema, value, '', (resource, at) => {
    if (isObject(resource)) found ??= malformation(resource, at)
  })
  return found
}

function malformation(resource: JsonObject, path: string): FieldError | undefined {
  for (const field of ['apiVersion', 'kind']) {
    const value = resource[field]
    if (value !== undefined && typeof value !== 'string')
      return invalid(fieldPath.child(path, field), shownValue(value), 'must be a string')
  }
  const { metadata } = resource
  const mismatch = metadata === undefined ? undefined : typeMismatch(objectMetaSchema, metadata)
  if (metadata === undefined || mismatch === undefined) return undefined
  const target =
    mismatch.path === '' ? 'Go value of type v1.ObjectMeta' : `Go struct field ObjectMeta.${mismatch.path} of type ${mismatch.expected}`
  return invalid(fieldPath.child(path, 'metadata'), shownValue(metadata), `json: cannot unmarshal ${mismatch.actual} into ${target}`)
}

function resourceErrors(resource: JsonObject, path: string): readonly FieldError[] {
  return [
    ...textErrors(resource, fieldPath.child(path, 'apiVersion'), 'apiVersion', versionProblems),
    ...textErrors(resource, fieldPath.child(path, 'kind'), 'kind', kindProblems),
    ...metadataErrors(resource.metadata, fieldPath.child(path, 'metadata')),
  ]
}

function textErrors(
  resource: JsonObject,
  field: string,
  name: string,
  problems: (text: string) => readonly string[],
): readonly FieldError[] {
  const value = resource[name]
  if (value === undefined) return [required(field, 'must not be empty')]
  if (typeof value !== 'string') return [invalid(field, shownValue(value), 'must be a string')]
  if (value === '') return [invalid(field, value, 'must not be empty')]
  return problems(value).map((problem) => invalid(field, value, problem))
}

function versionProblems(text: string): readonly string[] {
  return text.split('/').length > 2 ? [`unexpected GroupVersion string: ${text}`] : []
}

function kindProblems(text: string): readonly string[] {
  const problems = serviceNameProblems(text.toLowerCase())
  return problems.length === 0 ? [] : [`may have mixed case, but should otherwise match: ${problems.join(',')}`]
}

/** Names need only fit into a URL: what the embedded kind asks of its names is not known here. */
function metadataErrors(metadata: Json | undefined, path: string): readonly FieldError[] {
  if (!isObject(metadata)) return []
  const errors: FieldError[] = []
  for (const field of ['generateName', 'name']) {
    const name = metadata[field]
    if (typeof name !== 'string') continue
    errors.push(...pathSegmentProblems(name).map((problem) => invalid(fieldPath.child(path, field), name, problem)))
  }
  return [...errors, ...labelErrors(metadata.labels, fieldPath.child(path, 'labels'))]
}
