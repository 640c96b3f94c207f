import { isArray, isObject, type Json } from '../json.ts'
import { JsonMap, ListValue, ObjectValue, type Value } from './values.ts'

/** What a call pays for the size of what it looks at: its receiver or first argument, and the next. Every call is one step besides. */
export type CallCost = (left: Value | undefined, right: Value | undefined) => number

const comparing: ReadonlySet<string> = new Set(['_==_', '_!=_', '@in', 'indexOf', 'lastIndexOf'])
const pairing: ReadonlySet<string> = new Set(['sets.contains', 'sets.intersects', 'sets.equivalent', 'distinct'])

export function costOf(name: string): CallCost {
  if (comparing.has(name)) return comparisonCost
  return pairing.has(name) ? pairingCost : sizeCost
}

const perElement = 0.1

/** A tenth of a step for each character or element. */
const sizeCost: CallCost = (left, right) => (size(left) + size(right)) * perElement

function size(value: Value | undefined): number {
  if (typeof value === 'string') return value.length
  return value instanceof ListValue ? value.items.length : 0
}

/** Comparing looks at everything inside. */
const comparisonCost: CallCost = (left, right) => {
  if (!isLarge(left) && !isLarge(right)) return sizeCost(left, right)
  return Math.max(weight(left ?? null), weight(right ?? null)) * perElement
}

/** Sets of objects are compared each with each. */
const pairingCost: CallCost = (left, right) => {
  if (!(left instanceof ListValue)) return 0
  const other = right instanceof ListValue ? right : left
  const isPlain = !isLarge(left.items[0]) && !isLarge(other.items[0])
  return (isPlain ? left.items.length + other.items.length : weight(left) * other.items.length) * perElement
}

const isLarge = (value: Value | undefined): boolean => typeof value === 'object' && value !== null

function weight(value: Value): number {
  if (value instanceof ObjectValue || value instanceof JsonMap) return jsonWeight(value.raw)
  if (!(value instanceof ListValue)) return 1
  let sum = 1
  for (const item of value.items) sum += weight(item)
  return sum
}

function jsonWeight(json: Json): number {
  let sum = 1
  if (isArray(json)) for (const item of json) sum += jsonWeight(item)
  else if (isObject(json)) for (const key in json) sum += jsonWeight(json[key] ?? null)
  return sum
}
