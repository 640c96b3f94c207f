import { EvaluationError } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { durationText, parseDuration, parseTimestamp, timestampText } from '../time.ts'
import { bool, bytes, double, duration, dyn, int, list, map, param, string, timestamp, type, uint } from '../types.ts'
import { Duration, Timestamp, TypeValue, typeName } from '../values.ts'
import { doubleText } from './format-text.ts'
import { int64, uint64 } from './operators.ts'
import { lengthOf } from './runes.ts'

const [a, b] = [param('A'), param('B')]

const cannotConvert = (from: string, to: string): EvaluationError => new EvaluationError(`type conversion error from '${from}' to '${to}'`)

function parseInteger(text: string, to: string): bigint {
  const shape = to === 'uint' ? /^\+?\d+$/ : /^[-+]?\d+$/
  if (!shape.test(text)) throw cannotConvert('string', to)
  return BigInt(text.replace(/^\+/, ''))
}

const specialNumbers = new Map([
  ['inf', Infinity],
  ['infinity', Infinity],
  ['nan', Number.NaN],
])

function parseDouble(text: string): number {
  const [sign, rest] = /^[-+]/.test(text) ? [text[0], text.slice(1)] : ['', text]
  const known = specialNumbers.get(rest.toLowerCase())
  if (known !== undefined) return sign === '-' ? -known : known
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) throw cannotConvert('string', 'double')
  return Number(text)
}

function parseBoolean(text: string): boolean {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  throw cannotConvert('string', 'bool')
}

function truncate(value: number): bigint {
  if (!Number.isFinite(value)) throw new EvaluationError('integer overflow')
  return BigInt(Math.trunc(value))
}

const seconds = (nanos: bigint): bigint => nanos / 1_000_000_000n

export const conversions: readonly Overload[] = [
  fn('dyn', [a], dyn, (x) => x),
  fn('type', [a], type, (x) => new TypeValue(typeName(x))),

  fn('size', [string], int, (x) => BigInt(lengthOf(x))),
  fn('size', [bytes], int, (x) => BigInt(x.length)),
  fn('size', [list(a)], int, (x) => BigInt(x.items.length)),
  fn('size', [map(a, b)], int, (x) => BigInt(x.size)),
  method('size', [string], int, (x) => BigInt(lengthOf(x))),
  method('size', [bytes], int, (x) => BigInt(x.length)),
  method('size', [list(a)], int, (x) => BigInt(x.items.length)),
  method('size', [map(a, b)], int, (x) => BigInt(x.size)),

  fn('int', [int], int, (x) => x),
  fn('int', [uint], int, (x) => int64(x.value)),
  fn('int', [double], int, (x) => int64(truncate(x))),
  fn('int', [string], int, (x) => int64(parseInteger(x, 'int'))),
  fn('int', [timestamp], int, (x) => seconds(x.nanos)),
  fn('int', [duration], int, (x) => x.nanos),

  fn('uint', [uint], uint, (x) => x),
  fn('uint', [int], uint, (x) => uint64(x)),
  fn('uint', [double], uint, (x) => uint64(truncate(x))),
  fn('uint', [string], uint, (x) => uint64(parseInteger(x, 'uint'))),

  fn('double', [double], double, (x) => x),
  fn('double', [int], double, (x) => Number(x)),
  fn('double', [uint], double, (x) => Number(x.value)),
  fn('double', [string], double, parseDouble),

  fn('bool', [bool], bool, (x) => x),
  fn('bool', [string], bool, parseBoolean),

  fn('string', [string], string, (x) => x),
  fn('string', [bool], string, (x) => String(x)),
  fn('string', [int], string, (x) => String(x)),
  fn('string', [uint], string, (x) => String(x.value)),
  fn('string', [double], string, doubleText),
  fn('string', [bytes], string, (x) => new TextDecoder('utf-8', { fatal: false }).decode(x)),
  fn('string', [timestamp], string, (x) => timestampText(x.nanos)),
  fn('string', [duration], string, (x) => durationText(x.nanos)),

  fn('bytes', [bytes], bytes, (x) => x),
  fn('bytes', [string], bytes, (x) => new Uint8Array(Buffer.from(x, 'utf8'))),

  fn('timestamp', [timestamp], timestamp, (x) => x),
  fn('timestamp', [int], timestamp, (x) => new Timestamp(x * 1_000_000_000n)),
  fn('timestamp', [string], timestamp, (x) => {
    const nanos = parseTimestamp(x)
    if (nanos === undefined) throw cannotConvert('string', timestamp.name)
    return new Timestamp(nanos)
  }),

  fn('duration', [duration], duration, (x) => x),
  fn('duration', [int], duration, (x) => new Duration(x)),
  fn('duration', [string], duration, (x) => {
    const nanos = parseDuration(x)
    if (nanos === undefined) throw cannotConvert('string', duration.name)
    return new Duration(nanos)
  }),
]
