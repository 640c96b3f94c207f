import type { Random } from '@windlass/core'
import type { ManagerConfig } from '../config/index.ts'

/** What a cycle of the sync loop came to. */
export type CycleOutcome = 'idle' | 'refreshed' | 'failed'

export interface SyncState {
  /** Cycles that failed in a row. */
  readonly failures: number
}

export const freshSync: SyncState = { failures: 0 }

const longestMinutes = 60

/** Uniform in [0.9 t, 1.1 t): a fleet must not ask all at once. */
export function jitter(time: number, random: Random): number {
  return time * (0.9 + 0.2 * random.next())
}

/** When to go round again, and what to remember until then. A loop that has nothing to do looks each minute whether that has changed. */
export function afterCycle(
  { failures }: SyncState,
  outcome: CycleOutcome,
  manager: ManagerConfig,
  minute: number,
  random: Random,
): { readonly state: SyncState; readonly wait: number } {
  if (outcome === 'failed') {
    const backOff = Math.min(2 ** Math.min(failures, 6), longestMinutes) * minute
    return { state: { failures: failures + 1 }, wait: jitter(backOff, random) }
  }
  if (outcome === 'idle' || manager.is === 'idle') return { state: freshSync, wait: minute }
  return { state: freshSync, wait: jitter(manager.watchInterval, random) }
}
