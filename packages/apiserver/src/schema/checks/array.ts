import { equalJson, isArray, type Json, type JsonArray } from '../../json.ts'
import { correlation } from '../correlate.ts'
import type { Keyword } from './run.ts'

/** `items`, `minItems`, `maxItems` and `uniqueItems`. */
export const arrayCheck: Keyword = (schema, kind, part) => {
  if (kind !== 'array') return undefined
  const { minItems = 0, maxItems = Infinity, uniqueItems = false } = schema
  const items = schema.items === undefined ? undefined : part(schema.items)
  const correlate = correlation(schema)
  return (value, old, run) => {
    if (!isArray(value)) return
    if (items !== undefined) {
      for (let index = 0; index < value.length; index++) {
        const item = value[index] as Json
        run.place.enter(index)
        items.check(item, correlate(item, old), run)
        run.place.leave()
      }
    }
    if (value.length < minItems) run.fail('Invalid', value.length, `should have at least ${minItems} items`)
    if (value.length > maxItems) run.failPlainly('TooMany', value.length, `must have at most ${maxItems} items`)
    if (uniqueItems && hasRepeats(value)) run.fail('Invalid', '', `shouldn't contain duplicates`)
  }
}

function hasRepeats(list: JsonArray): boolean {
  return list.some((item, index) => list.slice(0, index).some((earlier) => equalJson(earlier, item)))
}
