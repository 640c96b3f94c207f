import { invalid, type FieldError } from '../errors/field-error.ts'
import { pruneValue, validateValue } from '../schema/index.ts'
import { shownValue } from '../schema/go-text.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** Defaults are values like any others: they must be valid and have no fields that the schema does not know. */
export function defaultErrors(schema: JsonSchema, field: string): readonly FieldError[] {
  const errors: FieldError[] = []
  const value = schema.default
  if (value !== undefined && value !== null) {
    const at = `${field}.default`
    if (pruneValue(schema, value) !== value) errors.push(invalid(at, shownValue(value), 'must not have unknown fields'))
    errors.push(...validateValue(schema, value, at))
  }
  if (schema.items !== undefined) errors.push(...defaultErrors(schema.items, `${field}.items`))
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...defaultErrors(property, `${field}.properties[${name}]`))
  }
  return errors
}
