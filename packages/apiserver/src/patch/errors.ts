import { ApiError } from '../errors/api-error.ts'
import type { Json } from '../json.ts'

/** A patch that was understood but does not fit the object. Real servers say no more than this. */
export function patchDoesNotFit(): ApiError {
  return new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', { details: {} })
}

/** 422 for a patch whose result is no object of the kind: ` "" is invalid: patch: Invalid value: "…": <why>`. */
export function patchResultInvalid(patch: Json, why: string): ApiError {
  const shown = JSON.stringify(patch, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  const message = `Invalid value: ${JSON.stringify(shown)}: ${why}`
  const details = { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] }
  return new ApiError(422, 'Invalid', ` "" is invalid: patch: ${message}`, { details })
}
