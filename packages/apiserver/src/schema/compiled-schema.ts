import type { FieldError, FieldErrorType } from '../errors/field-error.ts'
import type { Json, JsonObject } from '../json.ts'
import { Run } from './checks/run.ts'
import { checkOf } from './checks/node.ts'
import { defaultValue } from './defaults.ts'
import { embeddedErrors, malformedEmbedded } from './embedded.ts'
import type { JsonSchema } from './json-schema.ts'
import { listTypeErrors } from './list-types.ts'
import { memoised } from './memo.ts'
import { pruneObject, type UnknownOrder } from './prune.ts'
import { checkRules, checkValueRules, hasRules } from './rules.ts'
import { type TypeMismatch, typeMismatch } from './type-mismatch.ts'

export interface ValidationContext {
  /** Stored state, on updates: enables transition rules and ratcheting. */
  readonly old?: JsonObject
  /** `status` checks the schema of the status only; messages then name paths without the `status.` before them, as real servers do. */
  readonly subresource?: string
}

export interface ValidationResult {
  readonly errors: readonly FieldError[]
  /** Rules that the stored object breaks already and that the change did not touch. */
  readonly warnings: readonly string[]
}

/** The schema of a whole object, ready to use. Nothing changes an object: what has nothing to change returns the same reference. */
export interface CompiledSchema {
  readonly schema: JsonSchema
  /**
   * Drops fields the schema does not know; `onUnknown` hears each dropped path (`spec.foo`, `spec.list[0].bar`). apiVersion, kind and
   * metadata of the root stay as they are; those of embedded resources stay too, their metadata without unknown fields.
   */
  prune(object: JsonObject, onUnknown?: (path: string) => void, order?: UnknownOrder): JsonObject
  /** Fills in defaults. A null that the schema does not allow becomes the default, or goes where there is none. */
  applyDefaults(object: JsonObject): JsonObject
  validate(object: JsonObject, context?: ValidationContext): ValidationResult
  /** First place where a value has another JSON type than the schema says (for built-in kinds, decoded like Go does), or undefined. */
  typeMismatch(object: JsonObject): TypeMismatch | undefined
  /** The first embedded resource of a custom resource that cannot be decoded, which is a bad request rather than an invalid object. */
  malformedEmbedded(object: JsonObject): FieldError | undefined
}

/** Compiled once per schema object; parts are compiled when an object first leads to them. */
export const compileSchema: (schema: JsonSchema) => CompiledSchema = memoised((schema: JsonSchema): CompiledSchema => ({
  schema,
  prune: (object, onUnknown, order) => pruneObject(schema, object, onUnknown, order),
  applyDefaults: (object) => defaultValue(schema, object) as JsonObject,
  validate: (object, context = {}) => validate(schema, object, context),
  typeMismatch: (object) => typeMismatch(schema, object),
  malformedEmbedded: (object) => malformedEmbedded(schema, object),
}))

const nothing: ValidationResult = { errors: [], warnings: [] }

function validate(schema: JsonSchema, object: JsonObject, { old, subresource }: ValidationContext): ValidationResult {
  const isStatus = subresource === 'status'
  const errors = [
    ...(isStatus ? statusErrors(schema, object, old) : schemaErrors(schema, object, old, '')),
    ...(isStatus ? [] : embeddedErrors(schema, object)),
    ...newListTypeErrors(schema, object, old),
  ]
  if (!hasRules(schema)) return errors.length === 0 ? nothing : { errors, warnings: [] }
  if (errors.some(isBlocking)) return { errors: [...errors, rulesNotChecked], warnings: [] }
  const rules = checkRules(schema, object, old)
  return { errors: [...errors, ...rules.errors], warnings: rules.warnings }
}

function schemaErrors(schema: JsonSchema, value: Json, old: Json | undefined, origin: string): readonly FieldError[] {
  const run = new Run(origin)
  checkOf(schema)(value, old, run)
  return run.errors.length === 0 ? run.errors : run.findings()
}

function statusErrors(schema: JsonSchema, object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const statusSchema = schema.properties?.status
  if (statusSchema === undefined || object.status === undefined) return []
  return schemaErrors(statusSchema, object.status, old?.status, 'status')
}

/** A stored object whose lists are not unique may be changed without mending them. */
function newListTypeErrors(schema: JsonSchema, object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const errors = listTypeErrors(schema, object)
  return errors.length > 0 && old !== undefined && listTypeErrors(schema, old).length > 0 ? [] : errors
}

/** Rules take the shape of their values for granted; an object with these errors is not handed to them. */
const blocking: ReadonlySet<FieldErrorType> = new Set(['Required', 'NotSupported', 'TooLong', 'TooMany', 'TypeInvalid'])
const isBlocking = ({ type }: FieldError): boolean => blocking.has(type)

const rulesNotChecked: FieldError = {
  type: 'Invalid',
  field: '<nil>',
  value: 'null',
  detail: 'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

/** What is wrong with a value that is no whole object, such as the default of a property, which stands at `field`. */
export function validateValue(schema: JsonSchema, value: Json, field: string): readonly FieldError[] {
  const malformed = embeddedErrors(schema, value, field)
  if (malformed.length > 0) return malformed
  const errors = schemaErrors(schema, value, undefined, field)
  return errors.length > 0 || !hasRules(schema) ? errors : checkValueRules(schema, value, field)
}
