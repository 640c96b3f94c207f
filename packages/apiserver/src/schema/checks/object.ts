import { isObject, type Json, type JsonObject } from '../../json.ts'
import { additionalSchema } from '../shape.ts'
import type { Keyword, Part } from './run.ts'

/** `properties`, `additionalProperties`, `required`, `minProperties` and `maxProperties`. */
export const objectCheck: Keyword = (schema, kind, part) => {
  if (kind !== 'object') return undefined
  const { minProperties = 0, maxProperties = Infinity, required = [] } = schema
  const fields = new Map<string, Part>()
  for (const [name, property] of Object.entries(schema.properties ?? {})) fields.set(name, part(property))
  const described = additionalSchema(schema)
  const additional = described === undefined ? undefined : part(described)
  const refusesOthers = schema.additionalProperties === false
  const limitsSize = minProperties > 0 || maxProperties !== Infinity
  return (value, old, run) => {
    if (!isObject(value)) return
    const oldObject = isObject(old) ? old : undefined
    if (limitsSize) {
      const size = Object.keys(value).length
      if (size < minProperties) run.fail('Invalid', size, `should have at least ${minProperties} properties`)
      if (size > maxProperties) run.failPlainly('TooMany', size, `must have at most ${maxProperties} items`)
    }
    for (const name in value) {
      const field = fields.get(name) ?? additional
      if (field !== undefined) {
        run.place.enter(name)
        field.check(value[name] as Json, fieldOf(oldObject, name), run)
        run.place.leave()
      } else if (refusesOthers) {
        run.failForbidden(name)
      }
    }
    for (const name of required) if (!Object.hasOwn(value, name)) run.failMissing(name)
  }
}

function fieldOf(object: JsonObject | undefined, name: string): Json | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}
