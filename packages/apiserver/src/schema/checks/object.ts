import { isObject, type Json, type JsonObject } from '../../json.ts'
import { additionalSchema } from '../shape.ts'
import type { Keyword, Part, Run } from './run.ts'

interface Field {
  readonly part: Part | undefined
  readonly isRequired: boolean
}

/** `properties`, `additionalProperties`, `required`, `minProperties` and `maxProperties`. */
export const objectCheck: Keyword = (schema, kind, part) => {
  if (kind !== 'object') return undefined
  const { properties = {}, minProperties = 0, maxProperties = Infinity } = schema
  const required = new Set(schema.required)
  const fields = new Map<string, Field>()
  for (const name of required) fields.set(name, { part: undefined, isRequired: true })
  for (const [name, property] of Object.entries(properties)) fields.set(name, { part: part(property), isRequired: required.has(name) })
  const described = additionalSchema(schema)
  const additional = described === undefined ? undefined : part(described)
  const refusesOthers = schema.additionalProperties === false
  const limitsSize = minProperties > 0 || maxProperties !== Infinity

  return (value, old, run) => {
    if (!isObject(value)) return
    if (limitsSize) checkSize(value, minProperties, maxProperties, run)
    const oldObject = isObject(old) ? old : undefined
    // Required fields are counted on the way: looking for each of them costs more than all other checks.
    let missing = required.size
    for (const name in value) {
      const field = fields.get(name)
      if (field?.isRequired === true) missing--
      const check = field?.part ?? additional
      if (check !== undefined) {
        run.place.enter(name)
        check.check(value[name] as Json, oldObject === undefined ? undefined : fieldOf(oldObject, name), run)
        run.place.leave()
      } else if (refusesOthers && field === undefined) {
        run.failForbidden(name)
      }
    }
    if (missing > 0) for (const name of required) if (!Object.hasOwn(value, name)) run.failMissing(name)
  }
}

function checkSize(object: JsonObject, least: number, most: number, run: Run): void {
  const size = Object.keys(object).length
  if (size < least) run.fail('Invalid', size, `should have at least ${least} properties`)
  if (size > most) run.failPlainly('TooMany', size, `must have at most ${most} items`)
}

function fieldOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
