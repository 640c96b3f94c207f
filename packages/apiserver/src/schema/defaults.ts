import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import type { JsonSchema } from './json-schema.ts'
import { lazy, memoised } from './memo.ts'
import { pruneValue } from './prune.ts'
import { additionalSchema, hasDefault, mapArray, mapObject } from './shape.ts'

/**
 * Fills in defaults and settles nulls. A null where the schema allows none becomes the default; without a default the field goes. Elements
 * of lists cannot go: such a null stays for validation to refuse.
 *
 * Defaults are completed once, with the defaults below them, and then shared by all objects.
 */
class Defaulter {
  readonly allowsNull: boolean
  /** What a missing or null value becomes; `undefined` if there is no default. */
  readonly completed: () => Json | undefined
  readonly #fields = new Map<string, () => Defaulter>()
  readonly #fieldsWithDefault: readonly string[]
  readonly #additional: (() => Defaulter) | undefined
  readonly #items: (() => Defaulter) | undefined

  constructor(schema: JsonSchema) {
    this.allowsNull = schema.nullable === true
    this.completed = lazy(() => (hasDefault(schema) ? this.fill(pruneValue(schema, schema.default ?? null)) : undefined))
    const properties = Object.entries(schema.properties ?? {})
    for (const [name, property] of properties) this.#fields.set(name, later(property))
    this.#fieldsWithDefault = properties.filter(([, property]) => hasDefault(property)).map(([name]) => name)
    const additional = additionalSchema(schema)
    if (additional !== undefined) this.#additional = later(additional)
    if (schema.items !== undefined) this.#items = later(schema.items)
  }

  fill(value: Json): Json {
    if (isArray(value)) return this.#items === undefined ? value : mapArray(value, undefined, this.#fillItem)
    return isObject(value) ? this.#fillObject(value) : value
  }

  #fillObject(object: JsonObject): JsonObject {
    const settled = mapObject(object, undefined, this.#fillField)
    let next: MutableObject | undefined
    for (const name of this.#fieldsWithDefault) {
      if (Object.hasOwn(settled, name)) continue
      const value = this.#fields.get(name)?.().completed()
      if (value === undefined) continue
      next ??= { ...settled }
      next[name] = value
    }
    return next ?? settled
  }

  readonly #fillField = (value: Json, name: string): Json | undefined => {
    if (typeof value !== 'object') return value
    const defaulter = (this.#fields.get(name) ?? this.#additional)?.()
    if (defaulter === undefined) return value
    if (value !== null) return defaulter.fill(value)
    return defaulter.allowsNull ? value : defaulter.completed()
  }

  readonly #fillItem = (value: Json): Json => {
    const defaulter = this.#items?.()
    if (typeof value !== 'object' || defaulter === undefined) return value
    if (value !== null) return defaulter.fill(value)
    return defaulter.allowsNull ? value : (defaulter.completed() ?? null)
  }
}

const defaulterOf = memoised((schema: JsonSchema) => new Defaulter(schema))
const later = (schema: JsonSchema): (() => Defaulter) => lazy(() => defaulterOf(schema))

/** `value` with the defaults below it; a default of the schema itself is for whoever misses the whole value. */
export function defaultValue(schema: JsonSchema, value: Json): Json {
  return defaulterOf(schema).fill(value)
}
