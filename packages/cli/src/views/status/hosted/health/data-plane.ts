import type { HostedCluster } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { HealthView } from '../../view.ts'
import { about, byCondition, denied, lasts, withReason } from './observed.ts'

/** As for the version operator of a standalone cluster. */
const failingFor = 10 * 60_000

/** What is wrong with the update of the guest, in the words of its version operator. */
export function dataPlaneHealth(cluster: HostedCluster, now: Instant): readonly HealthView[] {
  const failure = denied(cluster.status?.conditions, 'ClusterVersionSucceeding')
  if (failure === undefined) return []
  return [
    {
      ...about('hostedclusters', cluster),
      ...byCondition(failure),
      name: 'data-plane-failing',
      level: lasts(failure, failingFor, now) ? 'Error' : 'Warning',
      impact: 'Update Stalled',
      summary: withReason('Cluster Version of the hosted cluster is failing to proceed with the update', failure),
    },
  ]
}
