import { equalJson } from '../json.ts'
import { noSuchOverload } from './errors.ts'
import {
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  Opaque,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  mapKey,
  member,
  type MapKey,
  type Value,
} from './values.ts'

/** CEL equality: numbers compare across types, values of different types are never equal. */
export function equals(left: Value, right: Value): boolean {
  if (left === right) return true
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (left instanceof ObjectValue) return right instanceof ObjectValue && equalObjects(left, right)
  if (left instanceof ListValue) return right instanceof ListValue && equalLists(left, right)
  if (left instanceof MapValue) return right instanceof MapValue && equalMaps(left, right)
  if (left instanceof Timestamp) return right instanceof Timestamp && left.nanos === right.nanos
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name
  if (left instanceof Opaque) return right instanceof Opaque && left.typeName === right.typeName && left.equals(right)
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0
  if (left instanceof OptionalValue) {
    if (!(right instanceof OptionalValue)) return false
    if (left.value === undefined || right.value === undefined) return left.value === right.value
    return equals(left.value, right.value)
  }
  return false
}

type Numeric = bigint | number | Uint

const isNumber = (value: Value): value is Numeric => typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint

function equalObjects(left: ObjectValue, right: ObjectValue): boolean {
  if (left.raw === right.raw) return true
  const keys = Object.keys(left.raw)
  if (keys.length !== Object.keys(right.raw).length) return false
  return keys.every((key) => {
    const [mine, other] = [member(left.raw, key), member(right.raw, key)]
    if (mine === other) return true
    if (mine === undefined || other === undefined) return false
    const escaped = left.shape.escapedName(key)
    const [a, b] = escaped === undefined ? [undefined, undefined] : [left.get(escaped), right.get(escaped)]
    return a === undefined || b === undefined ? equalJson(mine, other) : equals(a, b)
  })
}

function equalLists(left: ListValue, right: ListValue): boolean {
  const { identity, items } = left
  if (items.length !== right.items.length) return false
  if (identity === 'position') return items.every((each, index) => equals(each, right.items[index] ?? null))
  if (identity === 'value') {
    const others = new Members(right.items)
    return items.every((each) => others.has(each))
  }
  const partners = new Map(right.items.map((each) => [identityOf(each, identity.keys), each]))
  return items.every((each) => {
    const partner = partners.get(identityOf(each, identity.keys))
    return partner !== undefined && equals(each, partner)
  })
}

/** What tells an element of a keyed list from the others. */
export function identityOf(element: Value, keys: readonly string[]): string {
  if (!(element instanceof ObjectValue)) return ''
  return JSON.stringify(keys.map((key) => String(mapKey(element.get(key) ?? null))))
}

/** A collection that is asked what is in it: at once for simple values, one by one for others. */
export class Members {
  readonly #simple = new Set<MapKey>()
  readonly #others: Value[] = []

  constructor(items: readonly Value[] = []) {
    for (const item of items) this.add(item)
  }

  add(value: Value): void {
    const key = mapKey(value)
    if (key === undefined) this.#others.push(value)
    else this.#simple.add(key)
  }

  has(value: Value): boolean {
    const key = mapKey(value)
    return key === undefined ? this.#others.some((other) => equals(other, value)) : this.#simple.has(key)
  }
}

function equalMaps(left: MapValue, right: MapValue): boolean {
  if (left.size !== right.size) return false
  return left.keys().every((key) => {
    const other = right.get(key)
    return other !== undefined && equals(left.get(key) ?? null, other)
  })
}

/** Negative, zero or positive; throws for values that have no order. NaN is neither before nor after anything. */
export function compare(left: Value, right: Value): number {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right)
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  if (left instanceof Timestamp && right instanceof Timestamp) return order(left.nanos, right.nanos)
  if (left instanceof Duration && right instanceof Duration) return order(left.nanos, right.nanos)
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right)
  throw noSuchOverload()
}

function compareNumbers(left: Numeric, right: Numeric): number {
  return order(left instanceof Uint ? left.value : left, right instanceof Uint ? right.value : right)
}

function order(left: bigint | number, right: bigint | number): number {
  if (left < right) return -1
  if (left > right) return 1
  return left == right ? 0 : Number.NaN // oxlint-disable-line eqeqeq -- bigint and number compare by value
}

/** By code point, which is not the order of JavaScript's own `<` beyond the basic plane. */
function compareText(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (a === b) continue
    const [aIsHigh, bIsHigh] = [isSurrogate(a), isSurrogate(b)]
    return aIsHigh === bIsHigh ? a - b : Number(aIsHigh) - Number(bIsHigh)
  }
  return left.length - right.length
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
