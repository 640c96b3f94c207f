import type { ObjectShape } from './schema-type.ts'
import type { Uint, Timestamp, Duration, ListValue, MapValue, OptionalValue, TypeValue, Opaque, Value } from './values.ts'

/** What the checker knows about an expression. `V` is the shape of its values at run time; it exists in types only. */
export interface Typed<out V> {
  readonly kind: TypeKind
  /** As messages print it: `list(string)`. */
  readonly name: string
  /** Element of a list, value of a map or an optional. */
  readonly element?: CelType
  /** Key of a map. */
  readonly key?: CelType
  /** How many elements a list or map of a schema may have. */
  readonly most?: number
  /** Fields of an object. */
  readonly shape?: ObjectShape
  readonly _values?: V
}
export type CelType = Typed<unknown>

export type TypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'type'
  | 'dyn'
  | 'list'
  | 'map'
  | 'optional'
  | 'object'
  | 'opaque'
  | 'param'
  | 'free'

const simple = <V>(kind: TypeKind, name: string = kind): Typed<V> => ({ kind, name })

export const bool = simple<boolean>('bool')
export const int = simple<bigint>('int')
export const uint = simple<Uint>('uint')
export const double = simple<number>('double')
export const string = simple<string>('string')
export const bytes = simple<Uint8Array>('bytes')
export const nullType = simple<null>('null')
export const timestamp = simple<Timestamp>('timestamp', 'google.protobuf.Timestamp')
export const duration = simple<Duration>('duration', 'google.protobuf.Duration')
export const type = simple<TypeValue>('type')
export const dyn = simple<Value>('dyn')
/** The element type of `[]` and the value of `optional.none()`: becomes whatever it meets. */
export const free = simple<Value>('free', 'dyn')

export const param = (name: string): Typed<Value> => simple<Value>('param', name)
export const opaque = <V extends Opaque>(name: string): Typed<V> => simple<V>('opaque', name)
export const list = (element: CelType): Typed<ListValue> => ({ kind: 'list', name: `list(${element.name})`, element })
export const map = (key: CelType, element: CelType): Typed<MapValue> => ({
  kind: 'map',
  name: `map(${key.name}, ${element.name})`,
  key,
  element,
})
export const optional = (element: CelType): Typed<OptionalValue> => ({
  kind: 'optional',
  name: `optional_type(${element.name})`,
  element,
})

export type Bindings = Map<string, CelType>

const nullable: ReadonlySet<TypeKind> = new Set(['object', 'opaque', 'timestamp', 'duration', 'optional', 'null'])

/** Whether a value of type `actual` may stand where `wanted` is asked for, binding type parameters on the way. */
export function accepts(wanted: CelType, actual: CelType, bindings: Bindings): boolean {
  if (wanted.kind === 'param') return bind(wanted, actual, bindings)
  if (isOpen(wanted) || isOpen(actual)) return true
  if (actual.kind === 'null' || wanted.kind === 'null') return nullable.has(wanted.kind) && nullable.has(actual.kind)
  if (wanted.kind !== actual.kind) return false
  if (wanted.kind === 'object') return wanted.shape === actual.shape
  if (wanted.kind === 'opaque') return wanted.name === actual.name
  return accepts(wanted.key ?? dyn, actual.key ?? dyn, bindings) && accepts(wanted.element ?? dyn, actual.element ?? dyn, bindings)
}

function bind(wanted: CelType, actual: CelType, bindings: Bindings): boolean {
  const bound = bindings.get(wanted.name)
  if (bound === undefined) {
    bindings.set(wanted.name, actual)
    return true
  }
  if (!accepts(bound, actual, bindings)) return false
  bindings.set(wanted.name, moreGeneral(bound, actual))
  return true
}

const isOpen = (each: CelType): boolean => each.kind === 'dyn' || each.kind === 'free'

/** Of two types that accept each other, the one that says less; what is still free takes the other's shape. */
export function moreGeneral(left: CelType, right: CelType): CelType {
  if (left.kind === 'free' || left.kind === 'null') return right
  if (right.kind === 'free' || right.kind === 'null') return left
  if (left.kind === 'dyn' || right.kind === 'dyn') return dyn
  return withParts(left, (part, which) => moreGeneral(part, right[which] ?? dyn))
}

/** The same kind of type with other parts; the type itself when it has none, or keeps them. */
function withParts(of: CelType, change: (part: CelType, which: 'key' | 'element') => CelType): CelType {
  if (of.element === undefined) return of
  const element = change(of.element, 'element')
  const key = of.key === undefined ? undefined : change(of.key, 'key')
  if (element === of.element && key === of.key) return of
  if (of.kind === 'list') return list(element)
  return key === undefined ? optional(element) : map(key, element)
}

/** The result type of a call once its parameters are bound. */
export function substitute(of: CelType, bindings: Bindings): CelType {
  if (of.kind === 'param') return bindings.get(of.name) ?? free
  return withParts(of, (part) => substitute(part, bindings))
}
