import type { Json } from '../../json.ts'

/**
 * The words in which built-in kinds are declared. A declaration says what one field looks like to every reader of it: as JSON schema
 * (`schema.ts`), as Go would write it back (`canonical.ts`) and as protobuf (`wire/protobuf/`).
 *
 *   const container = struct({
 *     name: always(string),                  written even when empty
 *     image: string,                         left out when empty
 *     command: list(string),
 *     env: listBy('name', envVar),           merged by name in patches and applies
 *     livenessProbe: pointer(probe),         absent is not the same as empty
 *     resources: at(8, resources),           protobuf number, where it does not follow from the one before
 *   })
 *
 * Fields stand in the order of their protobuf numbers.
 */
export type Scalar = 'string' | 'boolean' | 'int32' | 'int64' | 'bytes' | 'time' | 'microTime' | 'quantity' | 'intOrString' | 'raw'

export interface ScalarType {
  readonly is: 'scalar'
  readonly of: Scalar
}

export interface ListType {
  readonly is: 'list'
  readonly of: Type
  /** Server-side apply tells items apart by these fields. */
  readonly keys?: readonly string[]
  /** Items are unique: server-side apply merges them one by one. */
  readonly isSet?: boolean
  /** Strategic merge patches merge items by this field. */
  readonly mergeKey?: string
  readonly patchStrategy?: string
  /** In protobuf the items sit in a message of their own (`ExtraValue`). */
  readonly isWrapped?: boolean
}

export interface MapType {
  readonly is: 'map'
  readonly of: Type
  readonly isAtomic: boolean
}

export interface StructType {
  readonly is: 'struct'
  readonly fields: readonly Field[]
  readonly isAtomic: boolean
}

export type Type = ScalarType | ListType | MapType | StructType

/**
 * What an empty value looks like when it is written: `omitted` (Go's omitempty), `zero`, or for pointers `omitted` and `null`
 * when absent while an empty value behind the pointer is kept.
 */
export type Presence = 'omitted' | 'zero' | 'pointer' | 'null-pointer'

export interface Field {
  readonly name: string
  readonly type: Type
  readonly presence: Presence
  /** Absent for fields that protobuf does not carry (`kind` and `apiVersion` of embedded objects). */
  readonly number?: number
  /** Its fields appear in JSON as if they were the struct's own; in protobuf it is a message. */
  readonly isInline: boolean
  readonly default?: Json
  readonly patchStrategy?: string
}

/** A type with what only makes sense for a field: presence, number, default. */
export interface FieldSpec {
  readonly type: Type
  readonly presence?: Presence
  /** `null`: not in protobuf. */
  readonly number?: number | null
  readonly default?: Json
  readonly patchStrategy?: string
}

export type Declared = Type | FieldSpec

const scalar = (of: Scalar): ScalarType => ({ is: 'scalar', of })

export const string = scalar('string')
export const boolean = scalar('boolean')
export const int32 = scalar('int32')
export const int64 = scalar('int64')
/** Base64 in JSON. */
export const bytes = scalar('bytes')
/** RFC 3339, whole seconds; `null` when zero. */
export const time = scalar('time')
/** RFC 3339 with exactly six decimals; `null` when zero. */
export const microTime = scalar('microTime')
/** `500m`, `1Gi`: rewritten to its canonical form. */
export const quantity = scalar('quantity')
export const intOrString = scalar('intOrString')
/** Any JSON, kept as it is. */
export const raw = scalar('raw')

function specOf(declared: Declared): FieldSpec {
  return 'is' in declared ? { type: declared } : declared
}

/** Written even when empty. */
export function always(declared: Declared): FieldSpec {
  const spec = specOf(declared)
  return { ...spec, presence: spec.presence === 'pointer' ? 'null-pointer' : 'zero' }
}

/** May be absent, which is not the same as empty. */
export function pointer(type: Type): FieldSpec {
  return { type, presence: 'pointer' }
}

/** Has this protobuf number; without it the number is one more than that of the field before. */
export function at(number: number, declared: Declared): FieldSpec {
  return { ...specOf(declared), number }
}

/** Is not in protobuf. */
export function jsonOnly(declared: Declared): FieldSpec {
  return { ...specOf(declared), number: null }
}

/** The default that OpenAPI publishes. Server-side apply needs it to complete the keys of list items. */
export function defaulted(value: Json, declared: Declared): FieldSpec {
  return { ...specOf(declared), default: value }
}

/** A strategic merge patch may name the keys to keep; kubectl does so where one of several alternatives is chosen. */
export function retainKeys(declared: Declared): FieldSpec {
  return { ...specOf(declared), patchStrategy: 'retainKeys' }
}

/** A strategic merge patch replaces the value as a whole. */
export function replaced(declared: Declared): FieldSpec {
  return { ...specOf(declared), patchStrategy: 'replace' }
}

export interface ListOptions {
  readonly keys?: readonly string[]
  readonly set?: boolean
  readonly merge?: string
  readonly strategy?: string
}

export function list(of: Type, options: ListOptions = {}): ListType {
  const patchStrategy = options.strategy ?? (options.merge === undefined ? undefined : 'merge')
  return {
    is: 'list',
    of,
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    ...(options.set === true ? { isSet: true } : {}),
    ...(options.merge === undefined ? {} : { mergeKey: options.merge }),
    ...(patchStrategy === undefined ? {} : { patchStrategy }),
  }
}

/** A list whose items are told apart by one field, in patches and applies alike. */
export function listBy(key: string, of: Type): ListType {
  return list(of, { keys: [key], merge: key })
}

export function map(of: Type): MapType {
  return { is: 'map', of, isAtomic: false }
}

export function atomicMap(of: Type): MapType {
  return { is: 'map', of, isAtomic: true }
}

export function struct(fields: Readonly<Record<string, Declared>>): StructType {
  return { is: 'struct', fields: numbered(fields), isAtomic: false }
}

/** A struct that server-side apply owns as a whole. */
export function atomicStruct(fields: Readonly<Record<string, Declared>>): StructType {
  return { is: 'struct', fields: numbered(fields), isAtomic: true }
}

const inlinePrefix = '...'

function numbered(fields: Readonly<Record<string, Declared>>): readonly Field[] {
  let last = 0
  return Object.entries(fields).map(([key, declared]) => {
    const { number, presence, ...spec } = specOf(declared)
    const isInline = key.startsWith(inlinePrefix)
    const field = { ...spec, name: isInline ? key.slice(inlinePrefix.length) : key, presence: presence ?? 'omitted', isInline }
    if (number === null) return field
    last = number ?? last + 1
    return { ...field, number: last }
  })
}

/** The fields as JSON shows them: inlined structs taken apart. */
export function jsonFields(type: StructType): readonly Field[] {
  return type.fields.flatMap((field) => (field.isInline && field.type.is === 'struct' ? jsonFields(field.type) : [field]))
}
