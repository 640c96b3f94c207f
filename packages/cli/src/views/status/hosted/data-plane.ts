import type { HostedCluster } from '@windlass/api'
import { findCondition, type Instant, isFalse, isTrue } from '@windlass/core'
import { timesOf } from '../times.ts'
import { usualDuration } from '../usual.ts'
import { versionsIn } from '../versions.ts'
import type { DataPlaneView } from '../view.ts'

/** How the guest goes, by what its cluster version operator reports. Undefined before it reports anything. */
export function dataPlaneOf({ spec, status }: HostedCluster, now: Instant): DataPlaneView | undefined {
  const history = status?.version?.history ?? []
  const [newest] = history
  if (newest === undefined) return undefined
  const conditions = status?.conditions
  const said = findCondition(conditions, 'ClusterVersionProgressing')
  const message = said?.status === 'True' ? (said.message ?? '') : ''
  const hasReached = newest.state === 'Completed'
  // True says just this: the guest has not taken up the release that is asked for.
  if (hasReached && isTrue(conditions, 'Progressing')) {
    // The control plane goes to the same release, unless it was sent ahead alone.
    const target = spec.controlPlaneRelease === undefined ? status?.controlPlaneVersion?.desired.version : undefined
    return {
      assessment: 'Pending',
      isCompleted: false,
      versions: versionsIn([{ state: 'Partial', ...(target === undefined ? {} : { version: target }) }, newest]),
      times: {},
      message: 'The cluster version operator of the hosted cluster has not taken up the release yet',
    }
  }
  const usual = usualDuration(history)
  const isFailing = isFalse(conditions, 'ClusterVersionSucceeding')
  const { startedTime: startedAt, completionTime } = newest
  return {
    assessment: hasReached ? 'Completed' : isFailing ? 'Degraded' : 'Progressing',
    isCompleted: hasReached,
    versions: versionsIn(history),
    times: {
      ...timesOf({ startedAt, ...(hasReached && completionTime !== null ? { completedAt: completionTime } : {}) }, now),
      ...(hasReached || usual === undefined ? {} : { usual }),
    },
    message,
  }
}
