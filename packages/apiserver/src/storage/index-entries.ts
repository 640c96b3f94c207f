import { hash } from 'node:crypto'
import { type ByteString, fromByteString, joinBytes, toByteString } from './byte-string.ts'
import { longestEngineKey } from './engine.ts'

/** The longest key of an object. The parts of a Kubernetes key together stay below it. */
export const longestKey = 1024

/**
 * Index entries may hold what users wrote, however long; keys of engines may not. The key has as much of the entry as fits, with a hash
 * that tells it from others that begin alike; the value has all of it.
 */
const hashLength = 32
const longestPart = longestEngineKey - longestKey - 1 - hashLength

const complete = Buffer.from([0])

export interface IndexEntry {
  readonly index: string
  readonly key: string
}

export function indexKey(index: string, key: ByteString): ByteString {
  const bytes = toByteString(index)
  return bytes.length <= longestPart ? joinBytes(bytes, '\0', key) : joinBytes(clip(bytes), hashOf(index), '\0', key)
}

export function indexValue(index: string): Buffer {
  return toByteString(index).length <= longestPart ? complete : Buffer.from(index)
}

/** Where to look for the entries that start with `prefix`; longer ones share the place and need a second look. */
export function indexPrefix(prefix: string): ByteString {
  return clip(toByteString(prefix))
}

export function decodeIndexEntry(at: ByteString, value: Buffer): IndexEntry {
  const separator = at.lastIndexOf('\0')
  const key = fromByteString(at.slice(separator + 1) as ByteString)
  return { index: value.equals(complete) ? fromByteString(at.slice(0, separator) as ByteString) : value.toString(), key }
}

/** The key of the entry that a caller names by `index`, NUL, `key`. */
export function indexPosition(position: string): ByteString {
  const separator = position.lastIndexOf('\0')
  return separator < 0 ? indexPrefix(position) : indexKey(position.slice(0, separator), toByteString(position.slice(separator + 1)))
}

function hashOf(index: string): ByteString {
  return toByteString(hash('sha256', index).slice(0, hashLength))
}

function clip(index: ByteString): ByteString {
  return index.length <= longestPart ? index : (index.slice(0, longestPart) as ByteString)
}
