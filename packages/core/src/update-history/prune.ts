import type { UpdateHistory } from './history.ts'

/** As many entries as the API takes. */
export const longestHistory = 100

/**
 * Drops the oldest entries beyond the limit, but never the newest Completed one: it says from where the updates above it set out, and
 * so which versions may still run.
 */
export function pruneHistory(history: UpdateHistory): UpdateHistory {
  if (history.length <= longestHistory) return history
  const newestCompleted = history.findIndex(({ state }) => state === 'Completed')
  if (newestCompleted < longestHistory) return history.slice(0, longestHistory)
  return [...history.slice(0, longestHistory - 1), ...history.slice(newestCompleted, newestCompleted + 1)]
}
