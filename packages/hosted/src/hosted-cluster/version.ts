import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import { formatTime } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { controlPlaneImageOf } from './release-images.ts'

type Status = NonNullable<HostedCluster['status']>
export type VersionStatus = NonNullable<Status['version']>
type Entry = NonNullable<VersionStatus['history']>[number]

/**
 * What `status.version` of a cluster says: what the guest's version operator reports, once it does. It tells nothing about the components on the
 * management cluster.
 *
 * Before that, what is asked for stands in for it, as an update that runs. Keys that must be there though they say nothing are null.
 */
export function versionStatus(cluster: HostedCluster, controlPlane: HostedControlPlane | undefined, now: Instant): VersionStatus {
  const reported = controlPlane?.status?.versionStatus
  if (reported !== undefined) return reported
  const begun = begin(cluster, now)
  return controlPlane === undefined ? begun : completeOldStyle(begun, controlPlane)
}

function begin(cluster: HostedCluster, now: Instant): VersionStatus {
  const { generation: observedGeneration = 0 } = cluster.metadata
  const image = controlPlaneImageOf(cluster)
  const before = cluster.status?.version
  const history = before?.history ?? []
  if (before !== undefined && history.length > 0 && before.desired.image === image) return before
  const entry: Entry = { state: 'Partial', startedTime: formatTime(now), completionTime: null, image, verified: false }
  if (before === undefined || history.length === 0) {
    return { desired: { version: '', image }, history: [entry], observedGeneration, availableUpdates: null }
  }
  return { ...before, desired: { ...before.desired, image }, observedGeneration, history: [entry, ...history] }
}

/** Control planes of old say by these two fields alone that they have got there. */
function completeOldStyle(version: VersionStatus, { spec, status }: HostedControlPlane): VersionStatus {
  const { releaseImage, version: text, lastReleaseImageTransitionTime } = status ?? {}
  const asked = spec.controlPlaneReleaseImage ?? spec.releaseImage
  const newest = version.history?.[0]
  if (newest === undefined || releaseImage === undefined || releaseImage !== asked || releaseImage !== version.desired.image) return version
  const completionTime = lastReleaseImageTransitionTime ?? newest.completionTime
  if (newest.state === 'Completed' && newest.version === text && newest.completionTime === completionTime) return version
  const completed: Entry = { ...newest, state: 'Completed', completionTime, ...(text === undefined ? {} : { version: text }) }
  return { ...version, history: (version.history ?? []).with(0, completed) }
}
