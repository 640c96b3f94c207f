/** What is remembered of failures: how many in a row, and when the last was, in milliseconds of the monotonic clock. */
export interface Backoff {
  readonly failures: number
  readonly failedAt: number
}

export const noFailures: Backoff = { failures: 0, failedAt: 0 }

const firstDelay = 800
const longestDelay = 30_000
/** After so long without a failure the next one is a first one. */
const quiet = 120_000

/**
 * How long to wait after one more failure. `chance` (0 to 1) spreads it over up to twice the time: what failed for many at once should not
 * be tried again by all of them at once.
 */
export function afterFailure(backoff: Backoff, now: number, chance: number): { readonly backoff: Backoff; readonly delay: number } {
  const failures = now - backoff.failedAt > quiet ? 0 : backoff.failures
  const delay = Math.min(longestDelay, firstDelay * 2 ** failures) * (1 + chance)
  return { backoff: { failures: failures + 1, failedAt: now }, delay }
}
