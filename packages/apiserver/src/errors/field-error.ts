import type { Json } from '../json.ts'

/** Why a field was refused; the text is what messages say, `reasons` what a Status cause says. */
export const FieldErrorType = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  Duplicate: 'Duplicate value',
  NotFound: 'Not found',
  TypeInvalid: 'Invalid value',
  Internal: 'Internal error',
} as const
export type FieldErrorType = keyof typeof FieldErrorType

/** One complaint about one field of an object. */
export interface FieldError {
  readonly type: FieldErrorType
  /** As users write it: `spec.template.containers[0].image`; `<nil>` for the object itself. */
  readonly field: string
  /** Left out when the message shows no value. */
  readonly value?: Json | GoText
  /** What comes after the value, or after the type when there is none. May be empty. */
  readonly detail: string
}

/** A value already written the way Go prints it, for the places where that is not JSON (`0x0`, `map[string]interface {}{…}`). */
export class GoText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const withoutValue: ReadonlySet<FieldErrorType> = new Set(['Required', 'Forbidden', 'TooLong', 'Internal'])

/** `Invalid value: -1: should be positive`: the error without its field. */
export function errorBody(error: FieldError): string {
  const parts: string[] = [FieldErrorType[error.type]]
  if (error.value !== undefined && !withoutValue.has(error.type)) parts.push(valueText(error.value))
  if (error.detail !== '') parts.push(error.detail)
  return parts.join(': ')
}

/** `spec.replicas: Invalid value: -1: should be positive`. */
export function errorText(error: FieldError): string {
  return `${error.field}: ${errorBody(error)}`
}

function valueText(value: Json | GoText): string {
  return value instanceof GoText ? value.text : JSON.stringify(value, bigintAsNumber)
}

function bigintAsNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}

export const required = (field: string, detail = ''): FieldError => ({ type: 'Required', field, detail })
export const invalid = (field: string, value: Json | GoText, detail: string): FieldError => ({ type: 'Invalid', field, value, detail })
export const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail })
export const duplicate = (field: string, value: Json | GoText): FieldError => ({ type: 'Duplicate', field, value, detail: '' })
export const tooLong = (field: string, bytes: number): FieldError => ({
  type: 'TooLong',
  field,
  detail: `may not be more than ${bytes} bytes`,
})
export const tooMany = (field: string, actual: number, most: number): FieldError => ({
  type: 'TooMany',
  field,
  value: actual,
  detail: `must have at most ${most} items`,
})
export const notSupported = (field: string, value: Json, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  value,
  detail: `supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`,
})
