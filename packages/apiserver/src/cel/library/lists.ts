import { compare, equals, Members } from '../compare.ts'
import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, bytes, double, duration, dyn, int, list, optional, param, string, timestamp, uint } from '../types.ts'
import { Duration, ListValue, OptionalValue, Uint, type Value } from '../values.ts'
import { int64, uint64 } from './operators.ts'

const a = param('A')
const comparable = [int, uint, double, bool, duration, timestamp, string, bytes]

function isSorted({ items }: ListValue): boolean {
  return items.every((each, index) => index === 0 || compare(items[index - 1] ?? null, each) <= 0)
}

function extreme(name: 'min' | 'max', { items }: ListValue): Value {
  const wanted = name === 'min' ? 1 : -1
  let best: Value | undefined
  for (const each of items) if (best === undefined || Math.sign(compare(best, each)) === wanted) best = each
  if (best === undefined) throw new EvaluationError(`${name} called on empty list`)
  return best
}

function distinct({ items }: ListValue): ListValue {
  const seen = new Members()
  const kept = items.filter((each) => {
    const isNew = !seen.has(each)
    if (isNew) seen.add(each)
    return isNew
  })
  return new ListValue(kept)
}

function flatten({ items }: ListValue, depth: bigint): Value[] {
  return items.flatMap((each) => (each instanceof ListValue && depth > 0n ? flatten(each, depth - 1n) : [each]))
}

function slice({ items }: ListValue, from: bigint, to: bigint): ListValue {
  if (from < 0n || to < 0n) throw new EvaluationError(`cannot slice(${from}, ${to}), negative indexes not supported`)
  if (from > to) throw new EvaluationError(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`)
  if (to > BigInt(items.length)) throw new EvaluationError(`cannot slice(${from}, ${to}), list is length ${items.length}`)
  return new ListValue(items.slice(Number(from), Number(to)))
}

function range(count: bigint): ListValue {
  if (count > 1_000_000n) throw new EvaluationError(`lists.range(${count}) is too long`)
  return new ListValue(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index)))
}

const position = (index: number): bigint => BigInt(index)
const total = <V extends Value>(items: readonly Value[], start: V, isOne: (value: Value) => value is V, add: (x: V, y: V) => V): V =>
  items.reduce<V>((sum, each) => (isOne(each) ? add(sum, each) : sum), start)

function covers(one: ListValue, other: ListValue): boolean {
  const mine = new Members(one.items)
  return other.items.every((each) => mine.has(each))
}

function intersects(one: ListValue, other: ListValue): boolean {
  const mine = new Members(one.items)
  return other.items.some((each) => mine.has(each))
}

const isInt = (value: Value): value is bigint => typeof value === 'bigint'
const isUint = (value: Value): value is Uint => value instanceof Uint
const isDouble = (value: Value): value is number => typeof value === 'number'
const isDuration = (value: Value): value is Duration => value instanceof Duration

export const lists: readonly Overload[] = [
  ...comparable.flatMap((each) => [
    method('isSorted', [list(each)], bool, isSorted),
    method('min', [list(each)], each, (x) => extreme('min', x)),
    method('max', [list(each)], each, (x) => extreme('max', x)),
    method('sort', [list(each)], list(each), (x) => new ListValue(x.items.toSorted(compare))),
  ]),
  method('sum', [list(int)], int, (x) => total(x.items, 0n, isInt, (y, z) => int64(y + z))),
  method('sum', [list(uint)], uint, (x) => total(x.items, new Uint(0n), isUint, (y, z) => uint64(y.value + z.value))),
  method('sum', [list(double)], double, (x) => total(x.items, 0, isDouble, (y, z) => y + z)),
  method('sum', [list(duration)], duration, (x) => total(x.items, new Duration(0n), isDuration, (y, z) => new Duration(y.nanos + z.nanos))),
  method('indexOf', [list(a), a], int, (x, y) => position(x.items.findIndex((each) => equals(each, y)))),
  method('lastIndexOf', [list(a), a], int, (x, y) => position(x.items.findLastIndex((each) => equals(each, y)))),
  method('slice', [list(a), int, int], list(a), slice),
  method('reverse', [list(a)], list(a), (x) => new ListValue(x.items.toReversed())),
  method('distinct', [list(a)], list(a), distinct),
  method('flatten', [list(list(a))], list(a), (x) => new ListValue(flatten(x, 1n))),
  method('flatten', [list(dyn), int], list(dyn), (x, depth) => new ListValue(flatten(x, depth))),
  method('first', [list(a)], optional(a), (x) => new OptionalValue(x.items[0])),
  method('last', [list(a)], optional(a), (x) => new OptionalValue(x.items.at(-1))),
  fn('lists.range', [int], list(int), range),

  fn('sets.contains', [list(a), list(a)], bool, covers),
  fn('sets.intersects', [list(a), list(a)], bool, intersects),
  fn('sets.equivalent', [list(a), list(a)], bool, (x, y) => covers(x, y) && covers(y, x)),
]
