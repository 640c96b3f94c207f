import { ClusterVersion } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { type Cause, causeOf, linkTo } from '../cause.ts'
import { versionCauses } from '../classic/index.ts'
import type { HostedEvidence } from '../evidence.ts'

/** What keeps the guest from its version: by the guest itself where it was looked at, by what its control plane has heard of it where not. */
export function dataPlaneCauses(evidence: HostedEvidence, now: Instant): readonly Cause[] {
  const { hostedCluster, guest } = evidence
  const { conditions, version } = hostedCluster.status ?? {}
  if (guest.clusterVersion !== undefined) {
    return versionCauses({ clusterVersion: guest.clusterVersion, operators: guest.operators, poolTroubles: [] }, now)
  }
  const place = { kind: ClusterVersion.kind, name: 'version', side: 'guest' } as const
  return [
    { type: 'ClusterVersionSucceeding', says: 'its version operator has failed' },
    { type: 'ClusterVersionReleaseAccepted', says: 'the release is not accepted' },
    { type: 'ClusterVersionAvailable', says: 'it is not available' },
  ].flatMap(({ type, says }): readonly Cause[] => {
    const condition = findCondition(conditions, type)
    // A guest that is being installed is not available yet, and that is all right.
    const isNew = type === 'ClusterVersionAvailable' && !(version?.history ?? []).some(({ state }) => state === 'Completed')
    if (condition?.status !== 'False' || isNew) return []
    const { reason, message, lastTransitionTime: since } = condition
    return [causeOf({ weight: 'Broken', links: [linkTo(place, `${says}: ${message}`, { reason, since })] })]
  })
}
