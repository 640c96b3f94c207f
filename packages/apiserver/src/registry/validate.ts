import type { FieldError } from '../errors/field-error.ts'
import { invalid } from '../errors/field-error.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { Served } from './catalog.ts'
import { metadataChangeErrors, metadataErrors, metadataOf } from './object-meta.ts'
import type { WriteContext } from './resource.ts'

export interface Verdict {
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}

/** Everything that can be wrong with a new object. */
export function validateCreate(served: Served, object: JsonObject, context: WriteContext): Verdict {
  const meta = metadataErrors(served.type, metadataOf(object), served.type.behaviour.names)
  const rest = validateContent(served, object, undefined, context)
  return { errors: [...meta, ...rest.errors], warnings: rest.warnings }
}

/**
 * Everything that can be wrong with a change. Real servers look at the metadata of a change twice, once for all kinds and once for
 * the kind, and report what they find twice: clients compare the causes, so do we.
 */
export function validateUpdate(served: Served, object: JsonObject, old: JsonObject, context: WriteContext): Verdict {
  const meta = metadataErrors(served.type, metadataOf(object), 'path')
  const change = metadataChangeErrors(metadataOf(object), metadataOf(old))
  const rest = validateContent(served, object, old, context)
  return { errors: [...meta, ...change, ...change, ...rest.errors], warnings: rest.warnings }
}

function validateContent(served: Served, object: JsonObject, old: JsonObject | undefined, context: WriteContext): Verdict {
  const { type, schema, version } = served
  if (!type.isCustom) return { errors: type.behaviour.validate?.(object, old, context) ?? [], warnings: [] }
  const verdict = schema.validate(object, {
    ...(old === undefined ? {} : { old }),
    ...(context.subresource === '' ? {} : { subresource: context.subresource }),
  })
  if (version.scale === undefined) return verdict
  const scale = [
    ...replicasErrors(object, version.scale.specReplicasPath),
    ...replicasErrors(object, version.scale.statusReplicasPath),
    ...selectorErrors(object, version.scale.labelSelectorPath),
  ]
  return scale.length === 0 ? verdict : { errors: [...verdict.errors, ...scale], warnings: verdict.warnings }
}

/** The value at a simple path (`.spec.replicas`), or what stands in its way. */
export function atSimplePath(object: JsonObject, path: string): { readonly value: Json | undefined } | { readonly obstacle: string } {
  let value: Json | undefined = object
  const walked: string[] = []
  for (const field of path.split('.').slice(1)) {
    if (value === undefined) return { value: undefined }
    if (!isObject(value)) {
      return {
        obstacle: `.${walked.join('.')} accessor error: ${text(value)} is of the type ${goType(value)}, expected map[string]interface {}`,
      }
    }
    walked.push(field)
    value = value[field]
  }
  return { value }
}

function replicasErrors(object: JsonObject, path: string): readonly FieldError[] {
  const found = atSimplePath(object, path)
  if ('obstacle' in found) return [invalid(path, 0, `${path} accessor error: ${found.obstacle.split('accessor error: ')[1] ?? ''}`)]
  const { value } = found
  if (value === undefined) return []
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return [invalid(path, 0, `${path} accessor error: ${text(value)} is of the type ${goType(value)}, expected int64`)]
  }
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')]
  return value > 0x7fffffff ? [invalid(path, value, 'should be less than or equal to 2147483647')] : []
}

function selectorErrors(object: JsonObject, path: string | undefined): readonly FieldError[] {
  if (path === undefined || path === '') return []
  const found = atSimplePath(object, path)
  if ('obstacle' in found) return [invalid(path, '', `${path} accessor error: ${found.obstacle.split('accessor error: ')[1] ?? ''}`)]
  if (found.value === undefined || typeof found.value === 'string') return []
  return [invalid(path, '', `${path} accessor error: ${text(found.value)} is of the type ${goType(found.value)}, expected string`)]
}

const text = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function goType(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
