import type { Clock } from '@windlass/core'
import { isConflict } from '../client/errors.ts'

export interface RetryOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** 5 unless told. */
  readonly attempts?: number
}

/** Long enough for the other writer to be done, too short to be noticed. */
const pause = 10

/**
 * Reads, changes and writes again until nobody came in between: `attempt` must start from a fresh read each time. For code that cannot wait
 * for its next pass; a plan needs no such thing.
 *
 * Errors: whatever the last attempt threw, and at once whatever is no conflict.
 */
export async function retryOnConflict<T>({ clock, signal, attempts = 5 }: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflict(error) || left <= 0) throw error
      await clock.sleep(pause, signal)
    }
  }
}
