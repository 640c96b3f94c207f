import type { Fields } from './sample.ts'

/** RFC 7396. */
export function merged(target: Fields, change: Fields): Fields {
  const result: Record<string, unknown> = { ...target }
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key]
    else result[key] = isFields(value) ? merged(isFields(result[key]) ? result[key] : {}, value) : value
  }
  return result
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
