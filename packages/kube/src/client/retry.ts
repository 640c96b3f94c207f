import type { Instant, Random } from '@windlass/core'
import { closedCode, isLasting } from '../transport/connection-problem.ts'
import { ConnectionError } from '../transport/transport.ts'

/** How often a request is sent again that got no answer, and how long before the first time; twice as long before each next. */
const mostResends = 3
const firstDelay = 100

/** How often a server may ask for patience, and how much of it. */
const mostPostponements = 5
const longestDelay = 30_000

/** The code of a request that took longer than the client waits. */
export const timeoutCode = 'ERR_REQUEST_TIMEOUT'

/**
 * How long to wait before a request that failed is sent again; undefined when it must not be.
 *
 * Reads may always be repeated. Writes only if the server cannot have seen them: one that it has carried out would be carried out twice.
 * Who has waited for a time-out has waited long enough.
 */
export function delayAfterError(error: unknown, isRead: boolean, resends: number, random: Random): number | undefined {
  if (!(error instanceof ConnectionError) || resends >= mostResends) return undefined
  if (error.code === closedCode || error.code === timeoutCode || isLasting(error)) return undefined
  return isRead || error.isUnsent ? firstDelay * 2 ** resends * (0.5 + random.next()) : undefined
}

/**
 * How long to wait before a request is sent again that the server has put off; undefined when it has not, or too often by now.
 *
 * It has not done anything, so that writes are no exception. Somewhat longer than it asks: all that it has put off would come back at once.
 */
export function delayAsked(
  status: number,
  retryAfter: string | undefined,
  postponements: number,
  { now, random }: { readonly now: Instant; readonly random: Random },
): number | undefined {
  if ((status !== 429 && status !== 503) || retryAfter === undefined || postponements >= mostPostponements) return undefined
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  if (Number.isNaN(asked)) return undefined
  return Math.min(longestDelay, Math.max(0, asked) * (1 + random.next() / 10))
}
