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
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, index) => equalJson(value, b[index]))
  if (!isRecord(a) || !isRecord(b)) return false
  for (const key in a) if (!equalJson(a[key], b[key])) return false
  for (const key in b) if (a[key] === undefined && b[key] !== undefined) return false
  return true
}
