import type { Json } from '../json.ts'
import { UnreadableBody } from './unreadable-body.ts'
import type { Decoded, DecodeOptions } from './decoded.ts'
import { jsonText } from './json-encode.ts'
import { deepestNesting, JsonScanner } from './json-scan.ts'

/** Numbers that JSON.parse would bend: 16 digits and more, and exponents that may leave the range of a double. */
const delicateNumber = /[:,[\s]-?\d(?:\d{15}|[\d.]*[eE]\+?\d{3})/

/**
 * Only a text that has such a number, or may have a key `__proto__`, pays for the reviver. Three searches are three times as fast as one
 * expression for all of it.
 */
function isDelicate(source: string): boolean {
  if (!source.startsWith('{') && !source.startsWith('[')) return true
  return delicateNumber.test(source) || source.includes('__proto__') || source.includes(String.raw`\u005`)
}

const smallestInteger = -(2n ** 63n)
const largestInteger = 2n ** 63n - 1n

/**
 * Reads JSON as the server keeps it: integers beyond ±2^53 are `bigint` as long as they fit in 64 bits (larger ones become
 * doubles, as in a real server), keys `__proto__` are dropped.
 *
 * Errors: UnreadableBody (400) for what is not JSON, nests too deep, or holds a number no double can hold.
 */
export function decodeJson(text: Buffer | string, options: DecodeOptions = {}): Decoded {
  const source = typeof text === 'string' ? text : text.toString('utf8')
  const value = parseJson(source)
  const duplicates = options.findDuplicates === true ? duplicatesIn(source, value) : []
  const complaints = duplicates.map((path) => `duplicate field ${JSON.stringify(path)}`)
  return { value, duplicates, complaints, format: 'json' }
}

/** Most clients send JSON without spaces: if writing the value gives the text again, nothing in it was said twice. */
function duplicatesIn(source: string, value: Json): readonly string[] {
  const written = jsonText(value)
  return source === written || source === `${written}\n` ? [] : new JsonScanner(source).duplicates()
}

function parseJson(source: string): Json {
  try {
    if (mayNestTooDeep(source)) new JsonScanner(source).duplicates()
    const value: Json = isDelicate(source) ? JSON.parse(source, keepExact) : JSON.parse(source)
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    new JsonScanner(source).duplicates()
    throw new UnreadableBody(error.message)
  }
}

/** Integers that JSON.parse would round. Other numbers were doubles when they were written, and come back as they were. */
const largeInteger = /[:,[]-?\d{16}/

/**
 * Reads what this server has written itself: the same values, without looking for what a client might have done. Every patch begins with it, and to look
 * for all that is delicate took a quarter of its time.
 */
export function decodeOwnJson(bytes: Buffer): Json {
  const source = bytes.toString('utf8')
  const value: Json = largeInteger.test(source) ? JSON.parse(source, keepExact) : JSON.parse(source)
  return value
}

function keepExact(key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (key === '__proto__') return undefined
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const digits = context?.source ?? ''
  if (!Number.isFinite(value)) throw new UnreadableBody(`json: cannot unmarshal number ${digits} into Go value of type float64`)
  return /^-?\d+$/.test(digits) ? exactInteger(BigInt(digits)) : value
}

/** A whole number in the smallest representation that is exact, or a double when it does not fit in 64 bits. */
export function exactInteger(value: bigint): number | bigint {
  const fitsNumber = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
  if (fitsNumber || value < smallestInteger || value > largestInteger) return Number(value)
  return value
}

/** The least that one more level takes: `{"":` and `}`, `[` and `]`. */
const shortestLevel = { object: 5, list: 2 }

/** Whether the text may nest too deep: cheap, and false for nearly every body. Objects are counted only where the length leaves room for so many. */
function mayNestTooDeep(source: string): boolean {
  if (source.length < shortestLevel.list * deepestNesting) return false
  const lists = countUpTo(deepestNesting, source, '[')
  const most = deepestNesting - lists
  return most < 0 || (source.length > shortestLevel.object * most && countUpTo(most, source, '{') > most)
}

/** How often a character occurs; one more than `most` stands for more than that. */
function countUpTo(most: number, source: string, character: string): number {
  let count = 0
  for (let at = source.indexOf(character); at >= 0 && count <= most; at = source.indexOf(character, at + 1)) count++
  return count
}
