import { activeVersions, type ConditionLike, isFalse, parseTime, type RolloutState, type VersionedUpdate } from '@windlass/core'
import type { SideView } from '../contract/index.ts'
import type { Moments } from './moments.ts'
import type { UpdateView } from '../contract/index.ts'

/** A history as the kinds write it, newest first, and where it goes. */
export interface VersionRecord {
  readonly desired?: { readonly version?: string } | undefined
  readonly history?: readonly RecordedUpdate[] | undefined
}

export interface RecordedUpdate extends VersionedUpdate {
  readonly startedTime: string
  readonly completionTime?: string | null
  readonly image?: string
}

export interface SideOptions {
  readonly conditions: readonly ConditionLike[] | undefined
  /** An update that began longer ago has stalled. Undefined when it may take as long as it likes. */
  readonly threshold: number | undefined
  readonly moments: Moments
  /** Where the history does not reach back far enough. */
  readonly guest?: readonly VersionedUpdate[] | undefined
}

/** One side by its history. The states are those of `rolloutState` in core, which does not say when they change. */
export function sideOf(record: VersionRecord | undefined, options: SideOptions): SideView {
  const history = record?.history ?? []
  const [newest] = history
  const version = history.find(({ state }) => state === 'Completed')?.version
  const desired = record?.desired?.version ?? newest?.version ?? version
  const completionTime = newest?.state === 'Completed' ? newest.completionTime : undefined
  return {
    ...(version === undefined || version === '' ? {} : { version }),
    ...(desired === undefined || desired === '' ? {} : { desired }),
    state: stateOf(newest, options),
    ...(newest === undefined ? {} : { startedTime: newest.startedTime }),
    ...(completionTime === undefined || completionTime === null ? {} : { completionTime }),
    activeVersions: (activeVersions(history, options.guest) ?? []).map(({ text }) => text),
  }
}

function stateOf(newest: RecordedUpdate | undefined, { conditions, threshold, moments }: SideOptions): RolloutState {
  if (newest === undefined) return 'Unknown'
  if (newest.state === 'Completed') return 'Completed'
  if (isFalse(conditions, 'ReconciliationActive')) return 'Paused'
  const started = parseTime(newest.startedTime)
  if (started === undefined || threshold === undefined) return 'Progressing'
  return moments.isAfter(started + threshold) ? 'Stalled' : 'Progressing'
}

/** The history as it is shown. */
export function updatesOf(history: readonly RecordedUpdate[] | undefined): readonly UpdateView[] {
  return (history ?? []).map(({ version = '', image, state, startedTime, completionTime }) => ({
    version,
    ...(image === undefined || image === '' ? {} : { image }),
    state: state === 'Completed' ? 'Completed' : 'Partial',
    startedTime,
    ...(completionTime === undefined || completionTime === null ? {} : { completionTime }),
  }))
}
