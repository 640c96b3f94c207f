import { isSameRelease } from '../release/release.ts'
import { parseTime } from '../time/rfc3339.ts'
import type { ControlPlaneVersion, HistoryEntry } from './history.ts'

/** Something that happened between two looks at a control plane, for events, metrics and timelines. */
export type UpdateTransition =
  | { readonly type: 'Started'; readonly update: HistoryEntry; readonly isFirst: boolean }
  /** A Partial update ended because another release was wanted. */
  | { readonly type: 'Superseded'; readonly update: HistoryEntry; readonly by: HistoryEntry }
  /** `isFirst`: it was complete when we first looked, so nobody knows how long it took. */
  | { readonly type: 'Completed'; readonly update: HistoryEntry; readonly isFirst: boolean; readonly seconds: number }

const nothing: readonly UpdateTransition[] = []

/**
 * What happened from one status to the next one, in order. Nothing when they are the same, and nothing when the history is gone.
 *
 * Caveat: the two must be neighbours. Of two updates that started in between, only the second is seen.
 */
export function transitionsBetween(
  before: ControlPlaneVersion | undefined,
  after: ControlPlaneVersion | undefined,
): readonly UpdateTransition[] {
  if (before === after || before?.history === after?.history) return nothing
  const newest = after?.history?.[0]
  if (newest === undefined) return nothing
  const previous = before?.history?.[0]
  if (previous !== undefined && isSameUpdate(previous, newest)) {
    return previous.state === 'Partial' && newest.state === 'Completed' ? [completion(newest, false)] : nothing
  }
  const isFirst = previous === undefined
  return [
    ...(previous?.state === 'Partial' ? [{ type: 'Superseded', update: previous, by: newest } as const] : []),
    { type: 'Started', update: newest, isFirst },
    ...(newest.state === 'Completed' ? [completion(newest, isFirst)] : []),
  ]
}

/** Going back to an earlier release is another update, hence the time. */
function isSameUpdate(a: HistoryEntry, b: HistoryEntry): boolean {
  return a.startedTime === b.startedTime && isSameRelease(a, b)
}

function completion(update: HistoryEntry, isFirst: boolean): UpdateTransition {
  const started = parseTime(update.startedTime)
  const ended = parseTime(update.completionTime)
  const seconds = started === undefined || ended === undefined ? 0 : (ended - started) / 1000
  return { type: 'Completed', update, isFirst, seconds }
}
