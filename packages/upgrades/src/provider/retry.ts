import type { Random } from '@windlass/core'

/** What a request to OCM came to. `isUnsent`: it was refused before anything of it was sent, so that it cannot have had any effect. */
export type OcmAttempt = { readonly status: number } | { readonly problem: string; readonly isUnsent: boolean }

export interface RetryPolicy {
  readonly retries: number
  /** Before the first retry; it doubles each time. */
  readonly delay: number
  /** By which part the delay may differ, either way. */
  readonly spread: number
}

export const ocmRetries: RetryPolicy = { retries: 5, delay: 2000, spread: 0.3 }
export const agentRetries: RetryPolicy = { retries: 2, delay: 1000, spread: 0.2 }

/**
 * After how long to send a request again, in milliseconds; undefined when what it came to is final. `retry` is the number of the retry, from 1.
 *
 * A write that may have arrived is not repeated, unless the server says that it was turned away.
 */
export function retryAfter(method: string, attempt: OcmAttempt, retry: number, policy: RetryPolicy, random: Random): number | undefined {
  if (retry > policy.retries || !isWorthIt(method, attempt)) return undefined
  return policy.delay * 2 ** (retry - 1) * (1 + policy.spread * (2 * random.next() - 1))
}

function isWorthIt(method: string, attempt: OcmAttempt): boolean {
  if ('problem' in attempt) return method === 'GET' || attempt.isUnsent
  if (attempt.status === 429 || attempt.status === 503) return true
  return method === 'GET' && attempt.status >= 500
}
