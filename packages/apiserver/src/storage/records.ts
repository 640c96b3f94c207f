import { type ByteString, fromByteString, joinBytes, toByteString } from './byte-string.ts'
import { applyDelta, encodeDelta } from './delta.ts'
import type { Change, Entry } from './store.ts'

/**
 * How entries of the tables are laid out. A change here needs a new number in `format.ts`.
 *
 *   objects   key                                  revision (6 bytes), length of indexes (4), indexes as JSON, object
 *   log       revision (16 digits), `/`, key       type (1), previous revision (6), length of object (4), object, previous as delta
 *   index     index entry, NUL, key                nothing, or the whole index entry where the key holds a part of it only
 */

/** An object with its entries in the secondary index. */
export interface Stored {
  readonly entry: Entry
  readonly indexes: readonly string[]
}

const objectHeader = 10
const logHeader = 11
const nothing = Buffer.alloc(0)
const changeTypes = ['created', 'modified', 'deleted'] as const

export interface Record {
  readonly stored: Stored
  /** What the objects table holds; the entry's bytes are a part of it. */
  readonly value: Buffer
}

/** A text is written where it is to be: most objects come as one, and the way through a buffer of their own would be a copy more. */
export function encodeObject(key: string, revision: number, object: Buffer | string, indexes: readonly string[]): Record {
  const header = indexes.length === 0 ? '' : JSON.stringify(indexes)
  const start = objectHeader + Buffer.byteLength(header)
  const value = Buffer.allocUnsafeSlow(start + Buffer.byteLength(object))
  value.writeUIntBE(revision, 0, 6)
  value.writeUInt32BE(start - objectHeader, 6)
  value.write(header, objectHeader)
  if (typeof object === 'string') value.write(object, start)
  else object.copy(value, start)
  return { value, stored: { entry: { key, revision, bytes: value.subarray(start) }, indexes } }
}

export function decodeEntry(key: string, value: Buffer): Entry {
  return { key, revision: value.readUIntBE(0, 6), bytes: value.subarray(objectHeader + value.readUInt32BE(6)) }
}

export function decodeStored(key: string, value: Buffer): Stored {
  const length = value.readUInt32BE(6)
  const indexes: readonly string[] = length === 0 ? [] : JSON.parse(value.toString('utf8', objectHeader, objectHeader + length))
  return { entry: decodeEntry(key, value), indexes }
}

/** Where the log holds `revision`: the smallest key that any of its entries could have. */
export function logPosition(revision: number): ByteString {
  return toByteString(String(revision).padStart(16, '0'))
}

/** The key names the object too, so that who changed can be learnt without reading what changed. */
export function logKey(revision: number, key: ByteString): ByteString {
  return joinBytes(logPosition(revision), '/', key)
}

export function parseLogKey(key: ByteString): { readonly revision: number; readonly key: ByteString } {
  return { revision: Number(key.slice(0, 16)), key: key.slice(17) as ByteString }
}

export function encodeChange({ type, bytes, previous }: Change): Buffer {
  const delta = previous === undefined ? nothing : encodeDelta(bytes, previous.bytes)
  const value = Buffer.allocUnsafe(logHeader + bytes.length + delta.length)
  value.writeUInt8(changeTypes.indexOf(type), 0)
  value.writeUIntBE(previous?.revision ?? 0, 1, 6)
  value.writeUInt32BE(bytes.length, 7)
  bytes.copy(value, logHeader)
  delta.copy(value, logHeader + bytes.length)
  return value
}

export function decodeChange(at: ByteString, value: Buffer): Change {
  const position = parseLogKey(at)
  const { revision } = position
  const key = fromByteString(position.key)
  const type = changeTypes[value.readUInt8(0)] ?? 'modified'
  const end = logHeader + value.readUInt32BE(7)
  const bytes = value.subarray(logHeader, end)
  if (type === 'created') return { revision, key, type, bytes }
  return { revision, key, type, bytes, previous: { key, revision: value.readUIntBE(1, 6), bytes: applyDelta(bytes, value.subarray(end)) } }
}
