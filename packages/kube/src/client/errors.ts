import { closedCode } from '../transport/connection-problem.ts'
import { ConnectionError } from '../transport/transport.ts'

/** One thing that was wrong; `field` is the path to it: `spec.replicas`. */
export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  /** The kind or, in most refusals, the plural that the API calls it by. */
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** How a Kubernetes API says that a request has failed. */
export interface Status {
  readonly code?: number
  /** One word that programs go by: `NotFound`. */
  readonly reason?: string
  readonly message?: string
  readonly details?: StatusDetails
  readonly metadata?: { readonly continue?: string }
}

/** Thrown when the server answers a request with a refusal. Ask the functions below what kind it is. */
export class ApiError extends Error {
  /** The status of the answer: 404. */
  readonly code: number
  /** Empty when the server, or a proxy before it, did not answer as a Kubernetes API does. */
  readonly reason: string
  readonly details: StatusDetails
  /** What was refused: `PATCH /api/v1/namespaces/default/configmaps/a`. */
  readonly request: string
  /** Where a list may be taken up again though its history is gone; only with Expired. */
  readonly continueToken: string | undefined

  constructor(status: Status, request: string) {
    const { code = 500, reason = '', message, details = {} } = status
    super(message === undefined || message === '' ? `${request} was refused with ${code} and no word why` : message)
    this.name = 'ApiError'
    this.code = code
    this.reason = reason
    this.details = details
    this.request = request
    this.continueToken = status.metadata?.continue
  }

  get causes(): readonly StatusCause[] {
    return this.details.causes ?? []
  }

  /** After how long the server is willing to be asked again. */
  get retryAfterSeconds(): number | undefined {
    return this.details.retryAfterSeconds
  }
}

/** There is no such object. See `isUnknownKind` for when there is no such kind. */
export function isNotFound(error: unknown): error is ApiError {
  return hasReason(error, 'NotFound') && !isUnknownKind(error)
}

const unknownResource = 'the server could not find the requested resource'

/**
 * The server does not know the kind, or not in this version: its CustomResourceDefinition is missing. That is also a 404, but nothing follows
 * from it about any object.
 */
export function isUnknownKind(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 404 && (error.reason !== 'NotFound' || error.message === unknownResource)
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return hasReason(error, 'AlreadyExists')
}

/** The object has changed since it was read, belongs to others in part, or is another one by now: read again and go on. */
export function isConflict(error: unknown): error is ApiError {
  return hasReason(error, 'Conflict')
}

/** The object breaks rules; `causes` says which. */
export function isInvalid(error: unknown): error is ApiError {
  return hasReason(error, 'Invalid')
}

/** The history that was asked for is forgotten: list again. */
export function isExpired(error: unknown): error is ApiError {
  return hasReason(error, 'Expired') || hasReason(error, 'Gone') || hasCode(error, 410)
}

export function isForbidden(error: unknown): error is ApiError {
  return hasReason(error, 'Forbidden') || hasCode(error, 403)
}

/** Nothing new may come into the namespace any more: it is being deleted. */
export function isNamespaceEnding(error: unknown): error is ApiError {
  return isForbidden(error) && error.causes.some(({ reason }) => reason === 'NamespaceTerminating')
}

/** The server does not know who asks. */
export function isUnauthorized(error: unknown): error is ApiError {
  return hasReason(error, 'Unauthorized') || hasCode(error, 401)
}

/** Too many requests. */
export function isThrottled(error: unknown): error is ApiError {
  return hasCode(error, 429)
}

/** A revision was asked for that the server has not reached: it is behind the one that gave it, or was restored from a backup. */
export function isTooLargeResourceVersion(error: unknown): error is ApiError {
  return error instanceof ApiError && error.causes.some(({ reason }) => reason === 'ResourceVersionTooLarge')
}

/** The server gave up before it was done. Nobody knows whether a write has happened. */
export function isServerTimeout(error: unknown): error is ApiError {
  return hasReason(error, 'ServerTimeout') || hasReason(error, 'Timeout') || hasCode(error, 504)
}

/** It may go well another time without anybody changing anything: no answer, or one that blames the server's own state. */
export function isTransient(error: unknown): error is ApiError | ConnectionError {
  if (error instanceof ConnectionError) return true
  return error instanceof ApiError && (error.code === 429 || error.code >= 500)
}

/** The connection was closed by this program, which has another one by now or no use for any. */
export function isClosed(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError && error.code === closedCode
}

/** Whether a write that failed so may have been done all the same: no answer came, or one from a server that does not know. */
export function mayHaveHappened(error: unknown): boolean {
  if (error instanceof ConnectionError) return !error.isUnsent
  return !(error instanceof ApiError) || error.code >= 500
}

function hasReason(error: unknown, reason: string): error is ApiError {
  return error instanceof ApiError && error.reason === reason
}

/** For answers that give no reason: a proxy's. */
function hasCode(error: unknown, code: number): error is ApiError {
  return error instanceof ApiError && error.code === code
}
