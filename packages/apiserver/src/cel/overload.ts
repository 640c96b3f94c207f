import { dyn, type CelType, type Typed, type TypeKind } from './types.ts'
import { Duration, ListValue, MapValue, ObjectValue, Opaque, OptionalValue, Timestamp, TypeValue, Uint, type Value } from './values.ts'

/** One signature of a function, method or operator. */
export interface Overload {
  readonly name: string
  /** Called on a value: `text.size()`; the value is the first parameter. */
  readonly isMethod: boolean
  readonly params: readonly CelType[]
  readonly result: CelType
  /** Only called with arguments that `fits` lets through. */
  readonly run: (...args: readonly Value[]) => Value
  readonly fits: readonly ((value: Value) => boolean)[]
}

type Arguments<P extends readonly CelType[]> = { -readonly [K in keyof P]: P[K] extends Typed<infer V> ? V : never }

function overload<const P extends readonly CelType[]>(
  isMethod: boolean,
  name: string,
  params: P,
  result: CelType,
  run: (...args: Arguments<P>) => Value,
): Overload {
  // Values are checked by `fits` before every call, so the narrower parameter types hold.
  return { name, isMethod, params, result, run: run as unknown as Overload['run'], fits: params.map(fitting) }
}

/** `size(x)`, and operators by their names in error messages: `_+_`. */
export function fn<const P extends readonly CelType[]>(
  name: string,
  params: P,
  result: CelType,
  run: (...args: Arguments<P>) => Value,
): Overload {
  return overload(false, name, params, result, run)
}

/** `x.size()`: the receiver is the first parameter. */
export function method<const P extends readonly CelType[]>(
  name: string,
  params: P,
  result: CelType,
  run: (...args: Arguments<P>) => Value,
): Overload {
  return overload(true, name, params, result, run)
}

/** Whether a value is of a type, as far as that can be told cheaply: of a list only the first element is looked at. */
export function fitting(type: CelType): (value: Value) => boolean {
  return tests[type.kind](type)
}

type Test = (value: Value) => boolean

const anything: Test = () => true

const tests: { readonly [K in TypeKind]: (type: CelType) => Test } = {
  bool: () => (value) => typeof value === 'boolean',
  int: () => (value) => typeof value === 'bigint',
  double: () => (value) => typeof value === 'number',
  string: () => (value) => typeof value === 'string',
  uint: () => (value) => value instanceof Uint,
  bytes: () => (value) => value instanceof Uint8Array,
  null: () => (value) => value === null,
  timestamp: () => (value) => value instanceof Timestamp,
  duration: () => (value) => value instanceof Duration,
  type: () => (value) => value instanceof TypeValue,
  map: () => (value) => value instanceof MapValue,
  optional: () => (value) => value instanceof OptionalValue,
  object: () => (value) => value instanceof ObjectValue,
  opaque: (type) => (value) => value instanceof Opaque && value.typeName === type.name,
  list: (type) => {
    const element = fitting(type.element ?? dyn)
    return (value) => value instanceof ListValue && (value.items[0] === undefined || element(value.items[0]))
  },
  dyn: () => anything,
  param: () => anything,
  free: () => anything,
}
