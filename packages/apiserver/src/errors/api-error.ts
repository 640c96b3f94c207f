import { errorBody, errorText, type FieldError } from './field-error.ts'

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The answer to a request that failed, as clients read it. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly continue?: string }
  readonly status: 'Failure' | 'Success'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code: number
}

/** Thrown anywhere below the HTTP layer to answer a request with a Status of failure. */
export class ApiError extends Error {
  readonly status: Status

  constructor(code: number, reason: string, message: string, extra: { details?: StatusDetails; continue?: string } = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: extra.continue === undefined ? {} : { continue: extra.continue },
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(extra.details === undefined ? {} : { details: extra.details }),
      code,
    }
  }

  get code(): number {
    return this.status.code
  }
}

/** What errors name: `nodepools.hypershift.openshift.io`, or `configmaps` in the core group. */
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

export interface GroupKind {
  readonly group: string
  readonly kind: string
}

export function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`
}

function resourceDetails({ group, resource }: GroupResource, name: string): StatusDetails {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: resource }
}

const plural = (of: GroupResource): string => qualified(of.resource, of.group)

export function notFound(of: GroupResource, name: string): ApiError {
  return new ApiError(404, 'NotFound', `${plural(of)} ${JSON.stringify(name)} not found`, { details: resourceDetails(of, name) })
}

export function alreadyExists(of: GroupResource, name: string): ApiError {
  return new ApiError(409, 'AlreadyExists', `${plural(of)} ${JSON.stringify(name)} already exists`, { details: resourceDetails(of, name) })
}

export function conflict(of: GroupResource, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${plural(of)} ${JSON.stringify(name)}: ${why}`
  return new ApiError(409, 'Conflict', message, { details: resourceDetails(of, name) })
}

export function forbidden(of: GroupResource, name: string, why: string): ApiError {
  const message = name === '' ? `${plural(of)} is forbidden: ${why}` : `${plural(of)} ${JSON.stringify(name)} is forbidden: ${why}`
  return new ApiError(403, 'Forbidden', message, { details: resourceDetails(of, name) })
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, 'BadRequest', message)
}

export function internalError(message: string): ApiError {
  return new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { details: { causes: [{ message }] } })
}

export function methodNotAllowed(of?: GroupResource): ApiError {
  return new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: of === undefined ? {} : resourceDetails(of, ''),
  })
}

/** 422: the object was understood but breaks rules. `errors` is never empty. */
export function invalidObject(of: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const texts = [...new Set(errors.map(errorText))]
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const message = `${qualified(of.kind, of.group)} ${JSON.stringify(name)} is invalid: ${list}`
  const causes = errors.map((error) => ({ reason: `FieldValue${error.type}`, message: errorBody(error), field: error.field }))
  const details = {
    ...(name === '' ? {} : { name }),
    ...(of.group === '' ? {} : { group: of.group }),
    ...(of.kind === '' ? {} : { kind: of.kind }),
    causes,
  }
  return new ApiError(422, 'Invalid', message, { details })
}
