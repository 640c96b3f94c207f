import type { Json } from '../json.ts'
import type { JsonSchema } from './json-schema.ts'

/** What a JSON value is, in the words of schemas. An integer is also a number; the reverse needs a whole value. */
export const Kind = {
  null: 'null',
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  string: 'string',
  array: 'array',
  object: 'object',
} as const
export type Kind = keyof typeof Kind

export const kinds = Object.values(Kind)

const smallest = -(2n ** 63n)
const largest = 2n ** 63n - 1n

/** Whole numbers are integers as long as 64 bits hold them: `1e300` and 2^63 are numbers. */
export function kindOf(value: Json): Kind {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'bigint') return value >= smallest && value <= largest ? 'integer' : 'number'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : 'object'
}

/** The types a schema allows; none means any. Null is not among them, see `nullable`. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string']
  return schema.type === undefined || schema.type === '' ? [] : [schema.type]
}

export function allowsKind(types: readonly string[], kind: Kind): boolean {
  return types.length === 0 || types.includes(kind) || (kind === 'integer' && types.includes('number'))
}
