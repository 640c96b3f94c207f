import type { Clock } from '@windlass/core'
import type { SharedCache } from '../cache/cache.ts'
import { LinkedAbort } from '../transport/abort.ts'

const longestSync = 120_000

/** Thrown when caches were not filled in time: a controller that decides on half of the world decides wrongly. */
export class CacheSyncError extends Error {
  /** What was not filled: `nodepools.hypershift.openshift.io`. */
  readonly caches: readonly string[]

  constructor(controller: string, missing: readonly { readonly name: string; readonly problem: string | undefined }[]) {
    const each = missing.map(({ name, problem }) => `${name} (${problem ?? 'no answer'})`)
    super(
      `controller ${controller}: not filled within ${longestSync / 1_000} s: ${each.join(', ')}. ` +
        'Check that the API serves these kinds and that this identity may list and watch them.',
    )
    this.name = 'CacheSyncError'
    this.caches = missing.map(({ name }) => name)
  }
}

/** Resolves when all caches are filled, or when the signal is aborted. */
export async function waitForCaches(controller: string, cache: SharedCache, clock: Clock, signal: AbortSignal): Promise<void> {
  if (cache.hasSynced || signal.aborted) return
  const limit = new LinkedAbort(signal)
  let isLate = false
  const cancel = clock.after(longestSync, () => {
    isLate = true
    limit.abort(new Error('not filled in time'))
  })
  try {
    await cache.synced(limit.signal)
  } catch (error) {
    if (signal.aborted) return
    if (!isLate) throw error
    throw new CacheSyncError(
      controller,
      cache.describe().filter(({ hasSynced }) => !hasSynced),
    )
  } finally {
    cancel()
    limit.release()
  }
}
