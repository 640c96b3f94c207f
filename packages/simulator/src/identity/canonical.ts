/**
 * JSON in which the order of keys does not matter, and a null counts as absent: two servers, or two writers, may leave different traces of the
 * same.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, inOrder) ?? ''
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
