import { isSameStream, tryParseVersion } from '@windlass/core'
import type { Entry, History } from './history.ts'

/** As many entries as the API takes. */
export const longestHistory = 100

const untouchable = 1000
const endOfMinor = 30
const betweenMinors = 20
const betweenPatches = -20
/** Of two that are worth the same the older one goes. */
const perPlace = 1.01

/**
 * Removes one entry from a history that is too long: the one that tells least. The newest five, the oldest and the newest Completed one always stay; those at the
 * borders of minors are worth more than what happened between two patches.
 */
export function pruned(history: History): History {
  if (history.length <= longestHistory) return history
  const ranks = history.map((entry, index) => rankOf(history, entry, index) - perPlace * index)
  const least = ranks.indexOf(Math.min(...ranks))
  return history.filter((_, index) => index !== least)
}

function rankOf(history: History, entry: Entry, index: number): number {
  const newestCompleted = history.findIndex(({ state }) => state === 'Completed')
  if (index < 5 || index === history.length - 1 || index === newestCompleted) return untouchable
  if (entry.state === 'Completed') return isAtEndOfMinor(history, index) ? endOfMinor : 0
  const above = history.slice(0, index).findLast(isCompleted)
  const below = history.slice(index + 1).find(isCompleted)
  if (above === undefined || below === undefined || above.version === below.version) return 0
  return isOfSameMinor(above, below) ? betweenPatches : betweenMinors
}

/** The first or the last Completed one of its minor. */
function isAtEndOfMinor(history: History, index: number): boolean {
  const entry = history[index]
  if (entry === undefined) return false
  const isAlike = (other: Entry): boolean => isCompleted(other) && isOfSameMinor(other, entry)
  return !history.slice(0, index).some(isAlike) || !history.slice(index + 1).some(isAlike)
}

function isCompleted({ state }: Entry): boolean {
  return state === 'Completed'
}

function isOfSameMinor(a: Entry, b: Entry): boolean {
  const [left, right] = [tryParseVersion(a.version), tryParseVersion(b.version)]
  return left !== undefined && right !== undefined && isSameStream(left, right)
}
