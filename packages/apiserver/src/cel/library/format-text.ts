import { EvaluationError } from '../errors.ts'
import { durationText, timestampText } from '../time.ts'
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
  typeName,
  type Value,
} from '../values.ts'

const clause = /%(?:\.(\d+))?([sdfeboxX%])|%/g

/** `'%s of %d'.format([…])`: the clauses of the CEL strings library. */
export function formatText(template: string, args: readonly Value[]): string {
  let next = 0
  const text = template.replace(clause, (whole: string, precision: string | undefined, verb: string | undefined) => {
    if (verb === undefined) throw new EvaluationError(`could not parse formatting clause: unrecognized formatting clause "${whole}"`)
    if (verb === '%') return '%'
    const value = args[next]
    if (value === undefined) throw new EvaluationError(`index ${next} out of range`)
    next++
    return formatOne(verb, precision === undefined ? undefined : Number(precision), value)
  })
  return text
}

function formatOne(verb: string, precision: number | undefined, value: Value): string {
  switch (verb) {
    case 's':
      return valueText(value)
    case 'd':
      return decimal(value)
    case 'f':
      return number(verb, value).toFixed(precision ?? 6)
    case 'e':
      return number(verb, value)
        .toExponential(precision ?? 6)
        .replace(/e([-+])(\d)$/, 'e$10$2')
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integer(verb, value).toString(2)
    case 'o':
      return integer(verb, value).toString(8)
    default:
      return hexadecimal(verb, value)
  }
}

function wrong(verb: string, value: Value): EvaluationError {
  return new EvaluationError(`error during formatting: clause %${verb} cannot be used on ${typeName(value)}`)
}

function decimal(value: Value): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return valueText(value)
  return integer('d', value).toString()
}

function integer(verb: string, value: Value): bigint {
  if (typeof value === 'bigint') return value
  if (value instanceof Uint) return value.value
  throw wrong(verb, value)
}

function number(verb: string, value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint' || value instanceof Uint) return Number(integer(verb, value))
  throw wrong(verb, value)
}

function hexadecimal(verb: string, value: Value): string {
  const lower =
    typeof value === 'string' || value instanceof Uint8Array
      ? Buffer.from(typeof value === 'string' ? Buffer.from(value, 'utf8') : value).toString('hex')
      : integer(verb, value).toString(16)
  return verb === 'X' ? lower.toUpperCase() : lower
}

/** How `%s` writes any value. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? doubleText(value) : special(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Uint) return String(value.value)
  if (value instanceof ListValue) return `[${value.items.map(valueText).join(', ')}]`
  if (value instanceof MapValue) return mapText(value.keys().map((key) => [valueText(key), valueText(value.get(key) ?? null)]))
  if (value instanceof ObjectValue) return mapText(Object.keys(value.raw).map((key) => [key, JSON.stringify(value.raw[key])]))
  if (value instanceof Timestamp) return timestampText(value.nanos)
  if (value instanceof Duration) return durationText(value.nanos)
  if (value instanceof TypeValue) return value.name
  if (value instanceof OptionalValue) return value.value === undefined ? 'optional.none()' : `optional.of(${valueText(value.value)})`
  if (value instanceof Opaque) return value.toText()
  return new TextDecoder().decode(value)
}

const special = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity')

function mapText(entries: readonly (readonly [string, string])[]): string {
  const sorted = entries.toSorted(([x], [y]) => (x < y ? -1 : 1))
  return `{${sorted.map(([key, text]) => `${key}: ${text}`).join(', ')}}`
}

/** As Go prints the shortest decimal that reads back the same. */
export function doubleText(value: number): string {
  if (value === Infinity) return '+Inf'
  if (value === -Infinity) return '-Inf'
  return String(value).replace(/e([-+])(\d)$/, 'e$10$2')
}
