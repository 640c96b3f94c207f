export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Deep equality of JSON values. The order of keys does not matter, and a key that is undefined counts as absent, as it does on the wire. What was
 * built by sharing is equal by reference, hence the first line.
 */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b)
  return !Array.isArray(b) && equalRecords(a as JsonRecord, b as JsonRecord)
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (!equalJson(a[index], b[index])) return false
  return true
}

function equalRecords(a: JsonRecord, b: JsonRecord): boolean {
  let present = 0
  for (const key in a) {
    const value = a[key]
    if (!equalJson(value, b[key])) return false
    if (value !== undefined) present++
  }
  // Whatever is present in a is in b. As a rule b has no key beyond that, and counting them is cheaper than reading their values.
  let keys = 0
  for (const _ in b) keys++
  return keys === present || hasNoMore(a, b)
}

/** Whether nothing is present in b that is absent from a. */
function hasNoMore(a: JsonRecord, b: JsonRecord): boolean {
  for (const key in b) if (a[key] === undefined && b[key] !== undefined) return false
  return true
}
