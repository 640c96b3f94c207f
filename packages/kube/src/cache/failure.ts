import { ApiError, isExpired, isTooLargeResourceVersion } from '../client/errors.ts'
import { ConnectionError } from '../transport/transport.ts'

/** Why a list or a watch failed, as far as it matters for what to do next. */
export type Failure = 'expired' | 'tooLarge' | 'unreachable' | 'refused' | 'unsupported'

/** The server does not understand what it is asked. */
const notUnderstood: ReadonlySet<number> = new Set([400, 405, 406, 415, 422])

/**
 * What is not known here counts as refused: it is tried again later, for a reflector never gives up.
 */
export function failureOf(error: unknown): Failure {
  if (isExpired(error)) return 'expired'
  if (isTooLargeResourceVersion(error)) return 'tooLarge'
  if (error instanceof ConnectionError) return 'unreachable'
  if (error instanceof ApiError && notUnderstood.has(error.code)) return 'unsupported'
  return 'refused'
}

/** How long the server asks to be left alone, in milliseconds. */
export function retryAfterOf(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
}
