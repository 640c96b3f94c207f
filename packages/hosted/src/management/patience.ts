import type { Clock } from '@windlass/core'

/** Milliseconds that a pass waits for somebody outside of the API. What it says about everything else must not come late because one is slow. */
export const patience = 5_000

/** What the work comes to; `late` is thrown when it takes too long, and the work goes on by itself. */
export async function within<T>(milliseconds: number, clock: Clock, work: Promise<T>, late: () => Error): Promise<T> {
  // Nobody may be left to hear how it ended.
  work.catch(() => undefined)
  const limit = Promise.withResolvers<never>()
  const cancel = clock.after(milliseconds, () => limit.reject(late()))
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    cancel()
  }
}
