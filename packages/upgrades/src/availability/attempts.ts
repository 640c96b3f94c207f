import type { Random } from '@windlass/core'

/** What one request to an external dependency came to. Redirects have been followed. */
export type DependencyAttempt = { readonly status: number } | { readonly problem: string }

export type AttemptVerdict =
  | { readonly is: 'available' }
  | { readonly is: 'failed'; readonly why: string }
  /** Try again after so many milliseconds. */
  | { readonly is: 'again'; readonly after: number }

const attemptsInAll = 3

/**
 * What follows from attempt number `count`, counted from 1, before which we waited for `waited` milliseconds. An answer that blames us is final; no answer, or
 * one that blames the server, may be a moment's weakness.
 */
export function judgeAttempt(attempt: DependencyAttempt, count: number, waited: number, random: Random): AttemptVerdict {
  if ('status' in attempt && attempt.status < 400) return { is: 'available' }
  const why = 'status' in attempt ? `answered with status ${attempt.status}` : attempt.problem
  if (('status' in attempt && attempt.status < 500) || count >= attemptsInAll) return { is: 'failed', why }
  const base = count === 1 ? 1000 : 2 * waited
  return { is: 'again', after: base + base * 0.5 * random.next() }
}

/** All dependencies that failed, in one message; undefined when none did. */
export function availabilityProblem(failures: readonly { readonly url: string; readonly why: string }[]): string | undefined {
  if (failures.length === 0) return undefined
  return `external dependencies are not available: ${failures.map(({ url, why }) => `${url}: ${why}`).join('; ')}`
}
