import type { Instant } from '../clock/clock.ts'
import { type ConditionLike, isFalse } from '../conditions/condition.ts'
import type { Duration } from '../duration/go-duration.ts'
import { isSameImage, type Release } from '../release/release.ts'
import { parseTime } from '../time/rfc3339.ts'

export type RolloutState = 'Unknown' | 'Completed' | 'Paused' | 'Stalled' | 'Progressing'

/** What is needed of the status of a HostedCluster or of a HostedControlPlane. */
export interface RolloutStatus {
  readonly controlPlaneVersion?: {
    readonly desired: Release
    readonly history?: readonly RolloutUpdate[]
  }
  readonly conditions?: readonly ConditionLike[]
}

/** What is needed of an update, of a control plane or of a cluster version operator. */
export interface RolloutUpdate {
  readonly state: string
  readonly startedTime: string
  readonly version?: string
  readonly image?: string
}

/** An update that takes longer than this has stalled, unless told otherwise. */
export const stalledAfter: Duration = 60 * 60_000

/** How the newest update of a control plane is getting on. A paused one cannot stall: nobody works on it. */
export function rolloutState(status: RolloutStatus | undefined, now: Instant, threshold: Duration = stalledAfter): RolloutState {
  const newest = status?.controlPlaneVersion?.history?.[0]
  if (newest === undefined) return 'Unknown'
  if (newest.state === 'Completed') return 'Completed'
  if (isFalse(status?.conditions, 'ReconciliationActive')) return 'Paused'
  const started = parseTime(newest.startedTime)
  return started !== undefined && now - started > threshold ? 'Stalled' : 'Progressing'
}

/**
 * Whether every component of the control plane is at the version. False also means not known.
 *
 * Caveat: it tells of the release that the status calls desired. Whether that is still the one in the spec, the caller must see.
 */
export function isControlPlaneAt(status: RolloutStatus | undefined, version: string): boolean {
  const desired = status?.controlPlaneVersion?.desired
  const newest = status?.controlPlaneVersion?.history?.[0]
  if (desired === undefined || newest === undefined || newest.state !== 'Completed') return false
  return newest.version === version && desired.version === version && isSameImage(newest.image ?? '', desired.image)
}

/** An update from one release to another that is under way, for the metrics that measure it. An installation is none. */
export interface UpdateInProgress {
  readonly previousVersion: string
  readonly newVersion: string
  readonly since: Instant
}

/** The update that is under way, of a control plane or of a cluster version operator. */
export function updateInProgress(history: readonly RolloutUpdate[] | undefined): UpdateInProgress | undefined {
  const [newest, previous] = history ?? []
  if (newest === undefined || previous === undefined || newest.state !== 'Partial') return undefined
  const since = parseTime(newest.startedTime)
  return since === undefined ? undefined : { previousVersion: previous.version ?? '', newVersion: newest.version ?? '', since }
}

/** Whether nothing has ever been completed: the cluster is being installed. */
export function isInitialRollout(history: readonly RolloutUpdate[] | undefined): boolean {
  return !(history ?? []).some(({ state }) => state === 'Completed')
}
