import { errorBody, type FieldError } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'

/** A whole object around a spec. */
export function objectWith(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'test.windlass.dev/v1', kind: 'Test', metadata: { name: 'a' }, spec, ...more }
}

/** `TypeInvalid spec.str: Invalid value: …`: a cause in one line. */
export function causeText(error: FieldError): string {
  return `${error.type} ${error.field}: ${errorBody(error)}`
}
