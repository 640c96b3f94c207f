import { EvaluationError, noSuchOverload } from '../errors.ts'
import { fn, method, type Overload } from '../overload.ts'
import { bool, dyn, int, list, string } from '../types.ts'
import { ListValue } from '../values.ts'
import { formatText } from './format-text.ts'
import { lengthOf, runes } from './runes.ts'

function outOfRange(index: bigint): EvaluationError {
  return new EvaluationError(`index out of range: ${index}`)
}

function charAt(text: string, at: bigint): string {
  const points = runes(text)
  if (at < 0n || at > BigInt(points.length)) throw outOfRange(at)
  return points.slice(Number(at), Number(at) + 1)
}

function indexOf(text: string, part: string, from = 0n): bigint {
  const points = runes(text)
  if (from < 0n || from > BigInt(points.length)) throw outOfRange(from)
  if (part === '') return from
  const skipped = points.slice(0, Number(from))
  const found = text.indexOf(part, skipped.length)
  return found < 0 ? -1n : BigInt(lengthOf(text.slice(0, found)))
}

function lastIndexOf(text: string, part: string, upTo?: bigint): bigint {
  const points = runes(text)
  const last = upTo ?? BigInt(points.length)
  if (last < 0n || last > BigInt(points.length)) throw outOfRange(last)
  if (part === '') return last
  const found = text.lastIndexOf(part, points.slice(0, Number(last)).length)
  return found < 0 ? -1n : BigInt(lengthOf(text.slice(0, found)))
}

function substring(text: string, from: bigint, to?: bigint): string {
  const points = runes(text)
  const end = to ?? BigInt(points.length)
  if (from < 0n || from > BigInt(points.length)) throw outOfRange(from)
  if (end < 0n || end > BigInt(points.length)) throw outOfRange(end)
  if (from > end) throw new EvaluationError(`invalid substring range. start: ${from}, end: ${end}`)
  return points.slice(Number(from), Number(end))
}

function replace(text: string, old: string, by: string, times = -1n): string {
  if (times < 0n) return text.replaceAll(old, () => by)
  const parts = split(text, old)
  const count = Math.min(Number(times), parts.length - 1)
  if (count <= 0) return text
  return (
    parts.slice(0, count + 1).join(by) +
    parts
      .slice(count + 1)
      .map((part) => old + part)
      .join('')
  )
}

/** Splitting by nothing gives characters, as in Go. */
function split(text: string, separator: string): string[] {
  return separator === '' ? Array.from(text) : text.split(separator)
}

function splitTimes(text: string, separator: string, times: bigint): string[] {
  if (times === 0n) return []
  const parts = split(text, separator)
  if (times < 0n || BigInt(parts.length) <= times) return parts
  const head = parts.slice(0, Number(times) - 1)
  return [...head, parts.slice(head.length).join(separator)]
}

function join(parts: ListValue, separator: string): string {
  return parts.items
    .map((part) => {
      if (typeof part !== 'string') throw noSuchOverload()
      return part
    })
    .join(separator)
}

const texts = (items: readonly string[]): ListValue => new ListValue(items)

/** Go's notion of white space. */
const trim = (text: string): string => text.replace(/^[\s\u0085]+|[\s\u0085]+$/g, '')

function quote(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '\u0007': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
    '\\': '\\\\',
    '"': '\\"',
  }
  return `"${Array.from(text, (each) => escapes[each] ?? each).join('')}"`
}

export const strings: readonly Overload[] = [
  method('contains', [string, string], bool, (x, y) => x.includes(y)),
  method('startsWith', [string, string], bool, (x, y) => x.startsWith(y)),
  method('endsWith', [string, string], bool, (x, y) => x.endsWith(y)),
  method('charAt', [string, int], string, charAt),
  method('indexOf', [string, string], int, (x, y) => indexOf(x, y)),
  method('indexOf', [string, string, int], int, indexOf),
  method('lastIndexOf', [string, string], int, (x, y) => lastIndexOf(x, y)),
  method('lastIndexOf', [string, string, int], int, lastIndexOf),
  method('lowerAscii', [string], string, (x) => x.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  method('upperAscii', [string], string, (x) => x.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  method('replace', [string, string, string], string, (x, old, by) => replace(x, old, by)),
  method('replace', [string, string, string, int], string, replace),
  method('split', [string, string], list(string), (x, y) => texts(split(x, y))),
  method('split', [string, string, int], list(string), (x, y, times) => texts(splitTimes(x, y, times))),
  method('substring', [string, int], string, (x, from) => substring(x, from)),
  method('substring', [string, int, int], string, substring),
  method('trim', [string], string, trim),
  method('reverse', [string], string, (x) => Array.from(x).toReversed().join('')),
  method('join', [list(string)], string, (x) => join(x, '')),
  method('join', [list(string), string], string, join),
  method('format', [string, list(dyn)], string, (x, args) => formatText(x, args.items)),
  fn('strings.quote', [string], string, quote),
]
