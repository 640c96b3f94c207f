import type { Clock, Random } from '@windlass/core'
import { RegistryFailure } from './failure.ts'

export interface RetryPolicy {
  /** How often in all; 4 unless told. */
  readonly attempts: number
  /** Milliseconds before the second attempt; each further wait is twice as long. */
  readonly firstDelay: number
  readonly longestDelay: number
  /** A registry that asks for more than this is not waited for: the failure says how long, and whoever asked decides. */
  readonly longestRetryAfter: number
}

export const usualRetries: RetryPolicy = { attempts: 4, firstDelay: 250, longestDelay: 5000, longestRetryAfter: 20_000 }

export interface RetryContext {
  readonly clock: Clock
  readonly random: Random
  readonly policy: RetryPolicy
  readonly signal: AbortSignal
}

/**
 * Tries again what failed because a registry was not there or busy. Waits are spread by up to a half, so that those who failed together do not come
 * back together.
 */
export async function retrying<T>({ clock, random, policy, signal }: RetryContext, attempt: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RegistryFailure) || !error.isWorthRetrying || failures >= policy.attempts) throw error
      const delay = Math.min(policy.firstDelay * 2 ** (failures - 1), policy.longestDelay) * (0.5 + random.next() / 2)
      if ((error.retryAfter ?? 0) > policy.longestRetryAfter) throw error
      await clock.sleep(Math.max(delay, error.retryAfter ?? 0), signal)
    }
  }
}

/** Milliseconds that a Retry-After header asks for: seconds or a date. Undefined when it says neither. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const instant = Date.parse(header)
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now)
}
