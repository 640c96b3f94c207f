import { behind, endOf, toByteString } from './byte-string.ts'
import type { Range } from './engine.ts'
import type { ScanOptions } from './store.ts'

/** The part of the objects table that a scan walks through. */
export function scanRange(prefix: string, { after, limit = Infinity, arena }: ScanOptions = {}): Range {
  const start = toByteString(prefix)
  const next = after === undefined ? start : behind(toByteString(after))
  return { from: next > start ? next : start, to: endOf(start), limit, ...(arena === undefined ? {} : { arena }) }
}
