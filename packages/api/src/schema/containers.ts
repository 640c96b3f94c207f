import { Type } from 'typebox'
import type { Static, TArray, TObject, TProperties, TSchema, TUnsafe } from 'typebox'
import type { JsonObject } from '../json.ts'
import { keywords } from './options.ts'
import type { ListOptions, ObjectOptions } from './options.ts'

/** Marks a field of an object that may be left out. */
export const optional = Type.Optional

/** An object of which we model every field. The API server drops any other. */
export function object<Fields extends TProperties>(description: string, fields: Fields, options: ObjectOptions = {}): TObject<Fields> {
  return Type.Object(fields, { description, ...keywords(options) })
}

/**
 * An object of which we model only some fields. The others survive a read and a write: they belong to a newer release, to a
 * feature gate, or to somebody else.
 */
export function openObject<Fields extends TProperties>(description: string, fields: Fields, options: ObjectOptions = {}): TObject<Fields> {
  return Type.Object(fields, { description, 'x-kubernetes-preserve-unknown-fields': true, ...keywords(options) })
}

/** An object of which we model nothing and keep everything. */
export function anyObject(description: string): TUnsafe<JsonObject> {
  return Type.Unsafe<JsonObject>({ type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true })
}

/** An object that has no fields yet. */
export function emptyObject(description: string): TUnsafe<Readonly<Record<string, never>>> {
  return Type.Unsafe<Readonly<Record<string, never>>>({ type: 'object', description })
}

export function list<Item extends TSchema>(description: string, items: Item, options: ListOptions = {}): TArray<Item> {
  return Type.Array(items, { description, ...keywords(options) })
}

/** Values under keys that the writer chooses. */
export function map<Value extends TSchema>(
  description: string,
  values: Value,
  options: ObjectOptions = {},
): TUnsafe<Readonly<Record<string, Static<Value>>>> {
  return Type.Unsafe<Readonly<Record<string, Static<Value>>>>({
    type: 'object',
    description,
    additionalProperties: values,
    ...keywords(options),
  })
}

/** The key may hold null, which is not the same as being left out. */
export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, nullable: true })
}
