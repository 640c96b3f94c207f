/**
 * Typed access to a Kubernetes API.
 *
 * - `client.ts`: what a client can do. `errors.ts`: what it throws, and how to ask which.
 * - `rest-client.ts`: the client; `paths.ts` and `deletion.ts` are how requests look, `watch-stream.ts` and `event-decoder.ts` how events come;
 *   `managed-fields.ts` leaves out of them what hardly anybody reads.
 * - `caller.ts`: one call, until it has an answer. `retry.ts`: when it is sent again. `refusal.ts`: answers that are errors. `warnings.ts`:
 *   what the server says besides.
 */
export type * from './client.ts'
export {
  ApiError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isNamespaceEnding,
  isInvalid,
  isNotFound,
  isServerTimeout,
  isThrottled,
  isTooLargeResourceVersion,
  isTransient,
  isUnauthorized,
  isUnknownKind,
  type Status,
  type StatusCause,
  type StatusDetails,
} from './errors.ts'
export { type ClientOptions, createClient, type RestClient } from './rest-client.ts'
