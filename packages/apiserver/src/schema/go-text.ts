import { GoText } from '../errors/field-error.ts'
import type { Json } from '../json.ts'

/** Values in messages, the way Go prints them: scalars much like JSON, objects and lists as Go source. */
export function shownValue(value: Json): Json | GoText {
  if (typeof value === 'number' || typeof value === 'bigint') return new GoText(numberText(value))
  if (value === null) return 'null'
  return typeof value === 'object' ? new GoText(goSource(value)) : value
}

/** `1e-05`, where JSON would write 0.00001. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint' || value === 0 || Math.abs(value) >= 1e-4) return String(value)
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1')
}

/** `map[string]interface {}{"a":1}`. */
export function goSource(value: Json): string {
  if (value === null) return 'interface {}(nil)'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value)
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSource).join(', ')}}`
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `map[string]interface {}{${fields.map(([key, each]) => `${JSON.stringify(key)}:${goSource(each)}`).join(', ')}}`
}
