import { formatTime, parseTime } from '@windlass/core'
import { DecodeError } from '../../errors/decode-error.ts'
import type { Json } from '../../json.ts'
import { canonicalQuantity, QuantityError } from './quantity.ts'
import type { Scalar } from './types.ts'

/** How Go reads and writes back one kind of value. `read` returns what it was given when that is canonical. */
interface ScalarRules {
  /** What is written for nothing at all. */
  readonly zero: Json
  readonly read: (value: Json) => Json
}

const zeroTime = null
const secondsLayout = '2006-01-02T15:04:05Z07:00'
const microLayout = '2006-01-02T15:04:05.000000Z07:00'
const secondsShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const microShape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})(Z|[+-]\d\d:\d\d)$/
const base64Shape = /^[A-Za-z0-9+/]*={0,2}$/
const [leastInt64, greatestInt64] = [-(2n ** 63n), 2n ** 63n - 1n]

export function mismatch(value: Json, expected: string): DecodeError {
  return new DecodeError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${expected}`)
}

function jsonKind(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

function readString(value: Json): Json {
  if (typeof value !== 'string') throw mismatch(value, 'string')
  return value
}

function readBoolean(value: Json): Json {
  if (typeof value !== 'boolean') throw mismatch(value, 'bool')
  return value
}

function readInt32(value: Json): Json {
  if (typeof value === 'number' && (value | 0) === value) return value
  throw mismatch(value, 'int32')
}

function readInt64(value: Json): Json {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  if (typeof value === 'bigint' && value >= leastInt64 && value <= greatestInt64) return value
  throw mismatch(value, 'int64')
}

function readBytes(value: Json): Json {
  if (typeof value !== 'string') throw mismatch(value, '[]uint8')
  const text = value.includes('\n') || value.includes('\r') ? value.replaceAll(/[\r\n]/g, '') : value
  if (!base64Shape.test(text) || text.length % 4 !== 0) throw new DecodeError(`illegal base64 data at input byte ${firstIllegal(text)}`)
  if (!text.endsWith('=')) return text
  // The last group may carry bits that no byte holds: they vanish.
  const last = Buffer.from(text.slice(-4), 'base64').toString('base64')
  return text.endsWith(last) ? text : text.slice(0, -4) + last
}

function firstIllegal(text: string): number {
  const found = text.search(/[^A-Za-z0-9+/]/)
  if (found < 0) return text.length
  return text[found] === '=' && /^={1,2}$/.test(text.slice(found)) ? text.length : found
}

function readTime(value: Json): Json {
  if (typeof value !== 'string') throw mismatch(value, 'string')
  const instant = secondsShape.test(value) ? parseTime(value) : undefined
  if (instant === undefined) throw unreadableTime(value, secondsLayout)
  return value.length === 20 ? value : formatTime(instant)
}

function readMicroTime(value: Json): Json {
  if (typeof value !== 'string') throw mismatch(value, 'string')
  const [, seconds = '', fraction = '', zone = ''] = microShape.exec(value) ?? []
  const instant = seconds === '' ? undefined : parseTime(seconds + zone)
  if (instant === undefined) throw unreadableTime(value, microLayout)
  return zone === 'Z' ? value : `${formatTime(instant).slice(0, -1)}.${fraction}Z`
}

function unreadableTime(text: string, layout: string): DecodeError {
  const quoted = JSON.stringify(text)
  return new DecodeError(`parsing time ${quoted} as ${JSON.stringify(layout)}: cannot parse ${quoted} as "2006"`)
}

function readQuantity(value: Json): Json {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string') throw mismatch(value, 'resource.Quantity')
  try {
    return canonicalQuantity(text)
  } catch (error) {
    throw error instanceof QuantityError ? new DecodeError(error.message) : error
  }
}

function readIntOrString(value: Json): Json {
  return typeof value === 'string' ? value : readInt32(value)
}

export const scalarRules: Readonly<Record<Scalar, ScalarRules>> = {
  string: { zero: '', read: readString },
  boolean: { zero: false, read: readBoolean },
  int32: { zero: 0, read: readInt32 },
  int64: { zero: 0, read: readInt64 },
  bytes: { zero: '', read: readBytes },
  time: { zero: zeroTime, read: readTime },
  microTime: { zero: zeroTime, read: readMicroTime },
  quantity: { zero: '0', read: readQuantity },
  intOrString: { zero: 0, read: readIntOrString },
  raw: { zero: null, read: (value) => value },
}
