import type { Request } from './request.ts'
import type { Reply } from './send.ts'

/**
 * Errors that real servers answer with a 5xx although the client is at fault, in their words; the contract keeps them. Nothing else may
 * be a 5xx.
 */
const knownErrors: readonly (readonly [number, RegExp])[] = [
  [500, /^resourceVersion should not be set on objects to be created$/],
  [500, /^strconv\.ParseUint: parsing ".*": (invalid syntax|value out of range)$/s],
  [500, /^failed to create typed patch object \(/],
  [500, /^map: .* does not contain declared merge key: \w+$/s],
  [500, /^unknown patch type '.*' in map: /s],
  [500, /^This pod has more than one PodDisruptionBudget, which the eviction subresource does not support\.$/],
  [500, /^Internal error occurred: the spec replicas field "\.spec\.replicas" does not exist$/],
  [500, /^Internal error occurred: requested .* without impersonating a user$/s],
  [504, /^Timeout: Too large resource version: \d+, current: \d+$/],
]

const healthPaths = /^(\/clusters\/[^/]+)?\/(livez|readyz|healthz)(\/|$)/

/** What is wrong with an answer; undefined when it is as it should be. */
export function complaint({ method, path }: Request, { status, type, text }: Reply): string | undefined {
  if (status < 200 || (status >= 300 && status < 400 && status !== 304)) return 'is neither a success nor a refusal'
  if (status < 400 || method === 'HEAD') return undefined
  if (status === 404 && text === '404 page not found\n') return undefined
  if (healthPaths.test(path) && status < 500) return undefined
  const body = parsed(text)
  if (body === undefined || !type.startsWith('application/json')) return 'is no JSON'
  const { kind, apiVersion, status: word, code, message } = body
  if (kind !== 'Status' || apiVersion !== 'v1' || word !== 'Failure' || code !== status) return 'is no Status'
  if (typeof message !== 'string' || message === '') return 'gives no message'
  if (status >= 500 && !knownErrors.some(([known, words]) => known === status && words.test(message))) return 'is an error of the server'
  return undefined
}

/** What somebody without rights may have: how the server describes itself, and what they themselves may do. */
const openToAll =
  /^(\/clusters\/[^/]+)?(\/|\/api|\/api\/v1|\/apis(\/[^/]+){0,2}|\/openapi\/.*|\/version|\/(livez|readyz|healthz)(\/.*)?)\/?$/
const openToKnown = /^(\/clusters\/[^/]+)?\/apis\/(authorization|authentication)\.k8s\.io\/v1\/selfsubject(access|rules|)reviews\/?$/

export function isOpen({ method, path }: Request): boolean {
  if (method === 'POST') return openToKnown.test(path)
  return (method === 'GET' || method === 'HEAD') && openToAll.test(path)
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
