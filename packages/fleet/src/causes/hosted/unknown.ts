import type { NodePool } from '@windlass/api'
import { findCondition, isInitialRollout } from '@windlass/core'
import type { HostedEvidence } from '../evidence.ts'

const ofCluster = [
  'InfrastructureReady',
  'EtcdAvailable',
  'KubeAPIServerAvailable',
  'ClusterVersionSucceeding',
  'ClusterVersionAvailable',
  'Degraded',
]
const ofPool = ['AllMachinesReady', 'AllNodesHealthy', 'SupportedVersionSkew']

/** What the cluster itself does not know about itself. One that is being installed does not know much yet, and that is all right. */
export function unknownConditions({ hostedCluster, pools }: HostedEvidence): readonly string[] {
  const { conditions, controlPlaneVersion } = hostedCluster.status ?? {}
  if (isInitialRollout(controlPlaneVersion?.history)) return []
  return [
    ...ofCluster.flatMap((type) => sentence(conditions, type, `HostedCluster ${hostedCluster.metadata.name ?? ''}`)),
    ...pools.flatMap(({ metadata, status }) =>
      ofPool.flatMap((type) => sentence(status?.conditions, type, `NodePool ${metadata.name ?? ''}`)),
    ),
  ]
}

type Conditions = NonNullable<NodePool['status']>['conditions']

function sentence(conditions: Conditions, type: string, of: string): readonly string[] {
  const condition = findCondition(conditions, type)
  if (condition?.status !== 'Unknown') return []
  return [`${type} of ${of} is not known: ${(condition.message ?? condition.reason ?? 'it does not say why').trim().replace(/\.$/, '')}.`]
}
