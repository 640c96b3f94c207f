/** An object of JSON that nobody has looked into yet. */
export type JsonRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value when it is a text, else nothing. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
