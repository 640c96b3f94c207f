import type { Json, JsonObject } from '../json.ts'
import type { ObjectShape } from './schema-type.ts'
import { convert } from './convert.ts'
import type { CelType } from './types.ts'

/**
 * What expressions compute with. Integers are `bigint` and doubles `number`, so the two never mix by accident; objects, maps and
 * lists of JSON are wrapped and converted member by member when they are asked for.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint
  | Uint8Array
  | Timestamp
  | Duration
  | TypeValue
  | OptionalValue
  | ListValue
  | MapValue
  | ObjectValue
  | Opaque

export class Uint {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

export class Timestamp {
  /** Nanoseconds since 1970. */
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

export class Duration {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** What `type(x)` answers. */
export class TypeValue {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

export class OptionalValue {
  static readonly none = new OptionalValue(undefined)
  readonly value: Value | undefined

  constructor(value: Value | undefined) {
    this.value = value
  }
}

/** Values of the Kubernetes libraries: addresses, URLs, quantities. They know how to compare themselves. */
export abstract class Opaque {
  abstract readonly typeName: string
  abstract equals(other: Opaque): boolean
  abstract toText(): string
}

/** How elements of two lists are matched by `==` and `+`: by position, by value, or by their key fields. */
export type ListIdentity = 'position' | 'value' | { readonly keys: readonly string[] }

export class ListValue {
  readonly items: readonly Value[]
  readonly identity: ListIdentity

  constructor(items: readonly Value[], identity: ListIdentity = 'position') {
    this.items = items
    this.identity = identity
  }
}

export type MapKey = string | bigint | number | boolean

/** A map; numeric keys that are equal are the same key, whatever their type. */
export abstract class MapValue {
  abstract readonly size: number
  abstract get(key: Value): Value | undefined
  abstract keys(): readonly Value[]
}

/** A map built by an expression. */
export class BuiltMap extends MapValue {
  readonly #entries: ReadonlyMap<MapKey, readonly [Value, Value]>

  constructor(entries: readonly (readonly [Value, Value])[]) {
    super()
    const known = new Map<MapKey, readonly [Value, Value]>()
    for (const entry of entries) {
      const key = mapKey(entry[0])
      if (key !== undefined) known.set(key, entry)
    }
    this.#entries = known
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Value): Value | undefined {
    const normal = mapKey(key)
    return normal === undefined ? undefined : this.#entries.get(normal)?.[1]
  }

  keys(): readonly Value[] {
    return Array.from(this.#entries.values(), (entry) => entry[0])
  }
}

/** A JSON object seen as a map of values of one type. */
export class JsonMap extends MapValue {
  readonly raw: JsonObject
  readonly #element: CelType
  #seen: Map<string, Value> | undefined

  constructor(raw: JsonObject, element: CelType) {
    super()
    this.raw = raw
    this.#element = element
  }

  get size(): number {
    return Object.keys(this.raw).length
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const seen = this.#seen?.get(key)
    if (seen !== undefined) return seen
    const raw = member(this.raw, key)
    if (raw === undefined) return undefined
    const value = convert(raw, this.#element)
    this.#seen ??= new Map()
    this.#seen.set(key, value)
    return value
  }

  keys(): readonly Value[] {
    return Object.keys(this.raw)
  }
}

/** A JSON object with a schema: its fields have names, escaped, and types of their own. */
export class ObjectValue {
  readonly raw: JsonObject
  readonly shape: ObjectShape
  #seen: Map<string, Value> | undefined

  constructor(raw: JsonObject, shape: ObjectShape) {
    this.raw = raw
    this.shape = shape
  }

  /** Undefined when the field is not set. */
  get(escaped: string): Value | undefined {
    const seen = this.#seen?.get(escaped)
    if (seen !== undefined) return seen
    const field = this.shape.field(escaped)
    if (field === undefined) return undefined
    const raw = member(this.raw, field.property)
    if (raw === undefined) return undefined
    const value = convert(raw, field.type)
    this.#seen ??= new Map()
    this.#seen.set(escaped, value)
    return value
  }
}

export function member(of: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined
}

/** The one form that equal keys share; undefined for values that cannot be keys. */
export function mapKey(key: Value): MapKey | undefined {
  if (typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint') return key
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : key
  return key instanceof Uint ? key.value : undefined
}

const primitiveNames: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool', bigint: 'int', number: 'double' }

export function typeName(value: Value): string {
  if (typeof value !== 'object') return primitiveNames[typeof value] ?? 'dyn'
  if (value === null) return 'null_type'
  if (value instanceof Uint) return 'uint'
  if (value instanceof ListValue) return 'list'
  if (value instanceof MapValue) return 'map'
  if (value instanceof ObjectValue) return 'object'
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp'
  if (value instanceof Duration) return 'google.protobuf.Duration'
  if (value instanceof OptionalValue) return 'optional_type'
  if (value instanceof TypeValue) return 'type'
  if (value instanceof Opaque) return value.typeName
  return 'bytes'
}
