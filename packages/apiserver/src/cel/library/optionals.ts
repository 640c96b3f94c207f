import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, free, list, optional, param } from '../types.ts'
import { Duration, ListValue, MapValue, ObjectValue, OptionalValue, Timestamp, Uint, type Value } from '../values.ts'

const a = param('A')

function isZero(value: Value): boolean {
  if (value === null || value === '' || value === false || value === 0n || value === 0) return true
  if (value instanceof Uint) return value.value === 0n
  if (value instanceof ListValue) return value.items.length === 0
  if (value instanceof MapValue) return value.size === 0
  if (value instanceof ObjectValue) return Object.keys(value.raw).length === 0
  if (value instanceof Duration || value instanceof Timestamp) return value.nanos === 0n
  return value instanceof Uint8Array && value.length === 0
}

const present = (items: ListValue): ListValue =>
  new ListValue(items.items.flatMap((each) => (each instanceof OptionalValue && each.value !== undefined ? [each.value] : [])))

/** `or` and `orValue` are not here: they look at their argument only when they need it, so the compiler knows them. */
export const optionals: readonly Overload[] = [
  fn('optional.none', [], optional(free), () => OptionalValue.none),
  fn('optional.of', [a], optional(a), (x) => new OptionalValue(x)),
  fn('optional.ofNonZeroValue', [a], optional(a), (x) => (isZero(x) ? OptionalValue.none : new OptionalValue(x))),
  fn('optional.unwrap', [list(optional(a))], list(a), present),
  method('unwrapOpt', [list(optional(a))], list(a), present),
  method('hasValue', [optional(a)], bool, (x) => x.value !== undefined),
  method('value', [optional(a)], a, (x) => {
    if (x.value === undefined) throw new EvaluationError('optional.none() dereference')
    return x.value
  }),
]
