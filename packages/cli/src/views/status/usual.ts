import { finishedUpdates, type TimedUpdate } from '@windlass/core'
import { roundedDuration } from './durations.ts'
import type { TimesView } from './view.ts'

/** More than these tell nothing about today. */
const recent = 5

/** How long the last finished updates of a cluster took, by its history; undefined when there is none. */
export function usualDuration(history: readonly TimedUpdate[]): NonNullable<TimesView['usual']> | undefined {
  const seconds = [...finishedUpdates(history)].slice(0, recent).map((duration) => duration / 1000)
  if (seconds.length === 0) return undefined
  return { updates: seconds.length, shortestSeconds: Math.min(...seconds), longestSeconds: Math.max(...seconds) }
}

/**
 * What earlier updates lead one to expect, where nothing estimates. A fact that stays as it is: an update that takes longer than any before it is said to do so,
 * instead of being promised for later and later.
 */
export function usualWords({ durationSeconds = 0, usual }: TimesView): string | undefined {
  if (usual === undefined) return undefined
  const { updates, shortestSeconds, longestSeconds } = usual
  const [shortest, longest] = [roundedDuration(shortestSeconds * 1000), roundedDuration(longestSeconds * 1000)]
  const range = shortest === longest ? longest : `${shortest} to ${longest}`
  const which = updates === 1 ? 'its last update' : `its last ${updates} updates`
  return durationSeconds > longestSeconds ? `longer than ${which}, which took ${range}` : `${which} took ${range}`
}
