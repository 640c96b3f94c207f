import { isArray, isObject, type Json } from '../json.ts'
import type { JsonSchema } from './json-schema.ts'
import { memoised } from './memo.ts'
import { fieldPath } from './place.ts'
import { additionalSchema, isNamed } from './shape.ts'

/** The parts of a schema that lead to what a walk looks for. */
interface Branches {
  readonly fields: readonly (readonly [name: string, schema: JsonSchema])[]
  readonly additional: JsonSchema | undefined
  readonly items: JsonSchema | undefined
}

type Visitor = (value: Json, path: string, schema: JsonSchema) => void

export interface Reach {
  /** Whether the schema, or anything below it, has it. */
  reaches(schema: JsonSchema): boolean
  /** Calls `visitor` for every value whose schema has it, outer ones first. */
  visit(schema: JsonSchema, value: Json, path: string, visitor: Visitor): void
}

/**
 * Most objects are large and most of what is special about them is in few places: lists with keys, embedded resources, rules. A walk by
 * `visit` goes to those places only.
 */
export function reachOf(isThere: (schema: JsonSchema) => boolean): Reach {
  const reaches = memoised((schema: JsonSchema): boolean => search(schema, isThere, new Set()))
  const ifReaching = (schema: JsonSchema | undefined): JsonSchema | undefined =>
    schema !== undefined && reaches(schema) ? schema : undefined
  const branchesOf = memoised((schema: JsonSchema): Branches => ({
    fields: Object.entries(schema.properties ?? {}).filter(([, property]) => reaches(property)),
    additional: ifReaching(additionalSchema(schema)),
    items: ifReaching(schema.items),
  }))

  function visit(schema: JsonSchema, value: Json, path: string, visitor: Visitor): void {
    if (isThere(schema)) visitor(value, path, schema)
    const { fields, additional, items } = branchesOf(schema)
    if (isArray(value)) {
      if (items === undefined) return
      for (const [index, item] of value.entries()) visit(items, item, fieldPath.index(path, index), visitor)
    } else if (isObject(value)) {
      for (const [name, property] of fields) {
        if (Object.hasOwn(value, name)) visit(property, value[name] as Json, fieldPath.child(path, name), visitor)
      }
      if (additional === undefined) return
      for (const key in value) if (!isNamed(schema, key)) visit(additional, value[key] as Json, fieldPath.key(path, key), visitor)
    }
  }

  return {
    reaches,
    visit: (schema, value, path, visitor) => {
      if (reaches(schema)) visit(schema, value, path, visitor)
    },
  }
}

/** `seen` because schemas may be circular. */
function search(schema: JsonSchema, isThere: (schema: JsonSchema) => boolean, seen: Set<JsonSchema>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  if (isThere(schema)) return true
  const parts = [...Object.values(schema.properties ?? {}), additionalSchema(schema), schema.items]
  return parts.some((part) => part !== undefined && search(part, isThere, seen))
}
