import type { Release } from '../release/release.ts'

/** Completed when every component got there. Partial while it runs, and for ever when another update came before the end. */
export type UpdateState = 'Completed' | 'Partial'

/** One update of a control plane, as we write it. */
export interface HistoryEntry extends Release {
  readonly state: UpdateState
  readonly startedTime: string
  /** When it was completed or superseded. Left out while it runs: the API refuses null here. */
  readonly completionTime?: string
}

/** The updates of a control plane, newest first. */
export type UpdateHistory = readonly HistoryEntry[]

/** The status of a control plane's version: what it goes to, and how it got to where it is. */
export interface ControlPlaneVersion {
  readonly desired: Release
  readonly history?: UpdateHistory
  /** The generation of the HostedControlPlane, also in the copy that a HostedCluster has. */
  readonly observedGeneration?: number
}

/** The same as others may have written it: null instead of nothing. */
export interface SeenControlPlaneVersion extends Omit<ControlPlaneVersion, 'history'> {
  readonly history?: readonly SeenHistoryEntry[]
}

export interface SeenHistoryEntry extends Omit<HistoryEntry, 'completionTime'> {
  readonly completionTime?: string | null
}

/** In the form in which we write; the same object when it is already. */
export function asWritten(seen: SeenControlPlaneVersion): ControlPlaneVersion {
  return isWritten(seen) ? seen : { ...seen, history: (seen.history ?? []).map(withoutNull) }
}

function isWritten(seen: SeenControlPlaneVersion): seen is ControlPlaneVersion {
  return seen.history === undefined || seen.history.every(isEntry)
}

function isEntry(entry: SeenHistoryEntry): entry is HistoryEntry {
  return entry.completionTime !== null
}

function withoutNull(entry: SeenHistoryEntry): HistoryEntry {
  if (isEntry(entry)) return entry
  const { completionTime: _, ...rest } = entry
  return rest
}
