import { compare, equals, identityOf, Members } from '../compare.ts'
import { EvaluationError, noSuchKey } from '../errors.ts'
import { fn, type Overload } from '../overload.ts'
import { bool, bytes, double, duration, int, list, map, param, string, timestamp, uint, type CelType } from '../types.ts'
import { Duration, ListValue, Timestamp, Uint, type Value } from '../values.ts'

const [a, b] = [param('A'), param('B')]

const smallest = -(2n ** 63n)
const largest = 2n ** 63n - 1n

export function int64(value: bigint): bigint {
  if (value < smallest || value > largest) throw new EvaluationError('integer overflow')
  return value
}

export function uint64(value: bigint): Uint {
  if (value < 0n || value >= 2n ** 64n) throw new EvaluationError('unsigned integer overflow')
  return new Uint(value)
}

function divide(left: bigint, right: bigint): bigint {
  if (right === 0n) throw new EvaluationError('division by zero')
  return left / right
}

function modulo(left: bigint, right: bigint): bigint {
  if (right === 0n) throw new EvaluationError('modulus by zero')
  return left % right
}

/** Sets unite, keyed lists merge: what the right one has wins. Other lists are put one behind the other. */
export function concat(left: ListValue, right: ListValue): ListValue {
  const { identity, items } = left
  if (identity === 'position') return new ListValue([...items, ...right.items])
  if (identity === 'value') {
    const mine = new Members(items)
    return new ListValue([...items, ...right.items.filter((each) => !mine.has(each))], identity)
  }
  const key = (of: Value): string => identityOf(of, identity.keys)
  const theirs = new Map(right.items.map((each) => [key(each), each]))
  const mine = new Set(items.map(key))
  const kept = items.map((each) => theirs.get(key(each)) ?? each)
  return new ListValue([...kept, ...right.items.filter((each) => !mine.has(key(each)))], identity)
}

/** An element by index or key; undefined when there is none. */
export function elementAt(of: ListValue, index: Value): Value | undefined {
  const position = index instanceof Uint ? index.value : index
  return typeof position === 'bigint' || typeof position === 'number' ? of.items[Number(position)] : undefined
}

const comparable: readonly (readonly [CelType, CelType])[] = [
  ...[bool, int, uint, double, string, bytes, timestamp, duration].map((each) => [each, each] as const),
  ...[int, uint, double].flatMap((left) => [int, uint, double].filter((right) => right !== left).map((right) => [left, right] as const)),
]

const comparisons = comparable.flatMap(([left, right]) => [
  fn('_<_', [left, right], bool, (x, y) => compare(x as Value, y as Value) < 0),
  fn('_<=_', [left, right], bool, (x, y) => compare(x as Value, y as Value) <= 0),
  fn('_>_', [left, right], bool, (x, y) => compare(x as Value, y as Value) > 0),
  fn('_>=_', [left, right], bool, (x, y) => compare(x as Value, y as Value) >= 0),
])

export const operators: readonly Overload[] = [
  fn('_==_', [a, a], bool, (x, y) => equals(x, y)),
  fn('_!=_', [a, a], bool, (x, y) => !equals(x, y)),
  ...comparisons,

  fn('!_', [bool], bool, (x) => !x),
  fn('-_', [int], int, (x) => int64(-x)),
  fn('-_', [double], double, (x) => -x),

  fn('_+_', [int, int], int, (x, y) => int64(x + y)),
  fn('_+_', [uint, uint], uint, (x, y) => uint64(x.value + y.value)),
  fn('_+_', [double, double], double, (x, y) => x + y),
  fn('_+_', [string, string], string, (x, y) => x + y),
  fn('_+_', [bytes, bytes], bytes, (x, y) => new Uint8Array(Buffer.concat([x, y]))),
  fn('_+_', [list(a), list(a)], list(a), concat),
  fn('_+_', [timestamp, duration], timestamp, (x, y) => new Timestamp(x.nanos + y.nanos)),
  fn('_+_', [duration, timestamp], timestamp, (x, y) => new Timestamp(x.nanos + y.nanos)),
  fn('_+_', [duration, duration], duration, (x, y) => new Duration(int64(x.nanos + y.nanos))),

  fn('_-_', [int, int], int, (x, y) => int64(x - y)),
  fn('_-_', [uint, uint], uint, (x, y) => uint64(x.value - y.value)),
  fn('_-_', [double, double], double, (x, y) => x - y),
  fn('_-_', [timestamp, timestamp], duration, (x, y) => new Duration(int64(x.nanos - y.nanos))),
  fn('_-_', [timestamp, duration], timestamp, (x, y) => new Timestamp(x.nanos - y.nanos)),
  fn('_-_', [duration, duration], duration, (x, y) => new Duration(int64(x.nanos - y.nanos))),

  fn('_*_', [int, int], int, (x, y) => int64(x * y)),
  fn('_*_', [uint, uint], uint, (x, y) => uint64(x.value * y.value)),
  fn('_*_', [double, double], double, (x, y) => x * y),

  fn('_/_', [int, int], int, (x, y) => int64(divide(x, y))),
  fn('_/_', [uint, uint], uint, (x, y) => new Uint(divide(x.value, y.value))),
  fn('_/_', [double, double], double, (x, y) => x / y),

  fn('_%_', [int, int], int, modulo),
  fn('_%_', [uint, uint], uint, (x, y) => new Uint(modulo(x.value, y.value))),

  fn('@in', [a, list(a)], bool, (x, y) => y.items.some((each) => equals(x, each))),
  fn('@in', [a, map(a, b)], bool, (x, y) => y.get(x) !== undefined),

  fn('_[_]', [list(a), int], a, (x, y) => {
    const found = elementAt(x, y)
    if (found === undefined) throw new EvaluationError(`index out of bounds: ${y}`)
    return found
  }),
  fn('_[_]', [map(a, b), a], b, (x, y) => {
    const found = x.get(y)
    if (found === undefined) throw noSuchKey(y instanceof Uint ? y.value : y)
    return found
  }),
]
