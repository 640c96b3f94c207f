import type { Json } from '../../json.ts'
import { numberText, shownValue } from '../go-text.ts'
import type { Keyword, Run } from './run.ts'

/** `multipleOf`, `minimum` and `maximum`. */
export const numberCheck: Keyword = (schema, kind) => {
  if (kind !== 'integer' && kind !== 'number') return undefined
  const { multipleOf, minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = schema
  if (multipleOf === undefined && minimum === undefined && maximum === undefined) return undefined
  return (value, _old, run) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) refuse(run, value, `a multiple of ${numberText(multipleOf)}`)
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
      refuse(run, value, `greater than ${exclusiveMinimum ? '' : 'or equal to '}${numberText(minimum)}`)
    }
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
      refuse(run, value, `less than ${exclusiveMaximum ? '' : 'or equal to '}${numberText(maximum)}`)
    }
  }
}

function refuse(run: Run, value: Json, should: string): void {
  run.fail('Invalid', shownValue(value), `should be ${should}`)
}

/** Fractions are never exact: what misses a whole multiple by a billionth is one. */
function isMultiple(value: number | bigint, factor: number): boolean {
  if (typeof value === 'bigint' && Number.isInteger(factor)) return value % BigInt(factor) === 0n
  const times = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor
  const whole = Math.trunc(times)
  return times === whole || Math.abs(times - whole) / (Math.abs(times) + Math.abs(whole)) < 1e-9
}
