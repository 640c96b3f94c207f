import { ApiError, forbidden } from '../errors/api-error.ts'
import { isPathRequest, type Attributes, type Authorize } from './attributes.ts'
import type { User } from './user.ts'

/** 401: a credential was shown and is not valid. Says no more, so that nothing can be learned by trying. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized')
}

/** `User "dev" cannot list resource "pods" in API group "" in the namespace "default"`. */
export function forbiddenMessage(user: User, attributes: Attributes): string {
  const who = `User ${quote(user.name)} cannot ${attributes.verb}`
  if (isPathRequest(attributes)) return `${who} path ${quote(attributes.path)}`
  const { resource, subresource, group, namespace } = attributes
  const what = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`
  return `${who} resource ${quote(what)} in API group ${quote(group)} ${where}`
}

/** 403: no rule grants the request. `reason` is the authorizer's, when it has one. */
export function accessForbidden(user: User, attributes: Attributes, reason = ''): ApiError {
  const message = forbiddenMessage(user, attributes)
  const why = reason === '' ? message : `${message}: ${reason}`
  if (isPathRequest(attributes)) return new ApiError(403, 'Forbidden', `forbidden: ${why}`, { details: {} })
  return forbidden(attributes, attributes.name, why)
}

/** Throws a 403 unless the request is allowed. */
export function assertAllowed(authorize: Authorize, user: User, attributes: Attributes): void {
  const decision = authorize(user, attributes)
  if (!decision.allowed) throw accessForbidden(user, attributes, decision.reason)
}

const quote = (text: string): string => JSON.stringify(text)

/** `["a" "b"]`: a list of strings as Go's `%q` prints it, which some messages carry. */
export function quoteList(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}
