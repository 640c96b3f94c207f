import type { Instant } from '@windlass/core'
import { ApiError, badRequest, invalidObject } from '../../errors/api-error.ts'
import type { FieldError } from '../../errors/field-error.ts'
import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../../json.ts'
import type { Authorize } from '../attributes.ts'
import { objectAt, text } from '../fields.ts'
import type { GrantedRules } from '../rbac/authorizer.ts'
import type { TokenResult } from '../tokens/authenticator.ts'
import type { User } from '../user.ts'

/** What a review may know besides its body. */
export interface ReviewContext {
  /** Who asks. */
  readonly user: User
  /** The logical cluster that is asked. */
  readonly cluster: string
  /** From the URL; empty for reviews without a namespace. */
  readonly namespace: string
  readonly now: Instant
  readonly authorize: Authorize
  readonly rulesFor: (user: User, namespace: string) => GrantedRules
  readonly authenticateToken: (token: string, options: { cluster: string; now: Instant; audiences: readonly string[] }) => TokenResult
}

/** A kind that is posted, answered and forgotten. */
export interface Review {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly singular: string
  readonly kind: string
  readonly namespaced: boolean
  /** The object to answer with, its status filled in. Throws an `ApiError` for a body that breaks the rules. */
  readonly answer: (body: JsonObject, context: ReviewContext) => JsonObject
}

/** The known fields of an object, without those that say nothing. */
export function pick(object: JsonObject | undefined, keys: readonly string[]): JsonObject {
  const picked: MutableObject = {}
  if (object === undefined) return picked
  for (const key of keys) {
    const value = object[key]
    if (value !== undefined && !isEmpty(value)) picked[key] = value
  }
  return picked
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true
  if (isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

/**
 * The metadata of a review's body as the rules see it: ownership and empty fields do not count, and the namespace is the URL's.
 * Throws when the body names another namespace.
 */
export function reviewMetadata(body: JsonObject, context: ReviewContext, namespaced: boolean): JsonObject {
  const metadata = objectAt(body, 'metadata') ?? {}
  const { managedFields: _managed, namespace, ...rest } = metadata
  const named = text(namespace)
  if (namespaced && named !== '' && named !== context.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  const kept = pick(rest, Object.keys(rest))
  return namespaced ? { ...kept, namespace: context.namespace } : kept
}

/** 422 of a review. A real server does not name the kind here, and neither do we. */
export function invalidReview(group: string, errors: readonly FieldError[]): ApiError {
  const { message = '', details = {} } = invalidObject({ group, kind: '' }, '', errors).status
  const { kind: _kind, ...rest } = details
  return new ApiError(422, 'Invalid', message, { details: rest })
}
