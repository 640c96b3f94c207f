import type { ClusterVersion, HostedControlPlane } from '@windlass/api'
import { equalJson } from '@windlass/kube'

export type VersionStatus = NonNullable<NonNullable<HostedControlPlane['status']>['versionStatus']>
type Reported = NonNullable<ClusterVersion['status']>

/**
 * What the version operator of a guest reports, as a control plane repeats it. Keys that must be there though they say nothing are null: whoever
 * writes this must not read null as "remove". The same object as before when nothing changed.
 */
export function versionStatusOf(reported: Reported, before: VersionStatus | undefined): VersionStatus {
  const { desired, history, observedGeneration, availableUpdates, conditionalUpdates } = reported
  const after: VersionStatus = {
    desired,
    ...(history === undefined ? {} : { history: history.map(whole) }),
    observedGeneration,
    availableUpdates: availableUpdates ?? null,
    ...(conditionalUpdates === undefined ? {} : { conditionalUpdates }),
  }
  return before !== undefined && equalJson(before, after) ? before : after
}

type Entry = NonNullable<Reported['history']>[number]

/** Older operators leave out what says nothing. */
function whole(entry: Partial<Pick<Entry, 'completionTime' | 'verified'>> & Omit<Entry, 'completionTime' | 'verified'>): Entry {
  const { completionTime = null, verified = false } = entry
  return completionTime === entry.completionTime && verified === entry.verified ? (entry as Entry) : { ...entry, completionTime, verified }
}
