import { isArray, isObject, type Json, type JsonObject } from '../../json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { patchResultInvalid } from '../errors.ts'

/**
 * Refuses a result that is no object of the kind any more: a list where the kind has an object, a number where it has a string. Only what
 * the patch changed is looked at.
 */
export function checkTypes(before: JsonObject, after: JsonObject, schema: JsonSchema, patch: Json): void {
  const problem = mismatch(before, after, schema)
  if (problem !== undefined) throw patchResultInvalid(patch, problem)
}

function mismatch(before: Json | undefined, after: Json, schema: JsonSchema): string | undefined {
  if (before === after || after === null || isFree(schema)) return undefined
  const expected = schema.type
  if (isObject(after)) {
    if (expected !== undefined && expected !== 'object') return restoring(expected, 'map')
    return firstIn(Object.entries(after), ([key, value]) => {
      const field = schema.properties?.[key] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined)
      return field === undefined ? undefined : mismatch(isObject(before) ? before[key] : undefined, value, field)
    })
  }
  if (isArray(after)) {
    if (expected !== undefined && expected !== 'array') return restoring(expected, 'slice')
    const items = schema.items
    return items === undefined
      ? undefined
      : firstIn(after, (item, index) => mismatch(isArray(before) ? before[index] : undefined, item, items))
  }
  return expected === undefined || fits(after, expected) ? undefined : restoring(expected, goKind(after))
}

/** Takes more than one type of value: quantities and ports are numbers or strings. */
function isFree(schema: JsonSchema): boolean {
  return (
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true || schema.format === 'quantity'
  )
}

function firstIn<T>(items: readonly T[], look: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = look(item, index)
    if (problem !== undefined) return problem
  }
  return undefined
}

function fits(value: Json, expected: string): boolean {
  if (typeof value === 'string') return expected === 'string'
  if (typeof value === 'boolean') return expected === 'boolean'
  if (typeof value === 'bigint') return expected === 'integer' || expected === 'number'
  return expected === 'number' || (expected === 'integer' && Number.isInteger(value))
}

function goKind(value: Json): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'int64' : 'float64'
}

function restoring(expected: string, actual: string): string {
  if (expected === 'object') return `cannot restore map from ${actual}`
  if (expected === 'array') return `cannot restore slice from ${actual}`
  return `cannot convert ${actual} to ${expected === 'integer' ? 'int64' : expected}`
}
