import { HostedCluster } from '@windlass/api'
import type { capi, NodePool } from '@windlass/api'
import { hasCountedMinor, type Instant, minorDistance, parseTime, referenceVersion, tryParseVersion } from '@windlass/core'
import type { CacheReader } from '@windlass/kube'
import { machineDeployments, machineSets, pools } from '../caches.ts'
import { healthyConditions, unhealthyConditions } from '../conditions/index.ts'
import { poolKeyOf } from '../names.ts'
import type { NodePoolSettings } from '../settings.ts'

/** Every platform is there, so that a rule finds a 0 where there are none. */
export const platforms = ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None', 'OpenStack', 'GCP'] as const

/** A pool, and what figures about it are made from. */
export interface Reading {
  readonly pool: NodePool
  readonly cluster: HostedCluster | undefined
  readonly scaled: capi.MachineDeployment | capi.MachineSet | undefined
}

export function readingsIn(cache: CacheReader): readonly Reading[] {
  return cache.list(pools).map((pool) => {
    const { namespace = '', name } = pool.metadata
    const key = poolKeyOf(pool)
    const named = ({ metadata }: capi.MachineDeployment | capi.MachineSet): boolean => metadata.name === name
    return {
      pool,
      cluster: cache.get(HostedCluster, { namespace, name: pool.spec.clusterName }),
      scaled: cache.byIndex(machineDeployments, 'nodePool', key).find(named) ?? cache.byIndex(machineSets, 'nodePool', key).find(named),
    }
  })
}

export type Labels = Readonly<Record<string, string>>

/** Whose figure it is. */
export function labelsOf({ pool, cluster }: Reading): Labels {
  const { namespace = '', name = '' } = pool.metadata
  return { namespace, name, _id: cluster?.spec.clusterID ?? '', cluster_name: pool.spec.clusterName, platform: pool.spec.platform.type }
}

export function clusterLabelsOf({ metadata: { namespace = '', name = '' }, spec }: HostedCluster): Labels {
  return { namespace, name, _id: spec.clusterID ?? '', platform: spec.platform.type }
}

/** `not_Ready` where it should be True and is not, `UpdatingVersion` where it should not. */
export function failuresOf(pool: NodePool): readonly string[] {
  const healthy = healthyConditions(pool)
  return unhealthyConditions(pool).map((type) => (healthy[type] === 'True' ? `not_${type}` : type))
}

export function ageOf({ metadata }: NodePool, now: Instant): number {
  return (now - (parseTime(metadata.creationTimestamp) ?? now)) / 1000
}

/** How many minors its nodes are behind; negative when they are ahead, undefined when either is not known. */
export function minorsBehind({ pool, cluster }: Reading, { source }: NodePoolSettings['skew']): number | undefined {
  const reference = tryParseVersion(cluster === undefined ? undefined : referenceVersion(cluster.status ?? {}, source))
  const version = tryParseVersion(pool.status?.version)
  if (reference === undefined || version === undefined || !hasCountedMinor(reference) || !hasCountedMinor(version)) return undefined
  return minorDistance(version, reference)
}

/** The conditions whose first time people wait for. */
const awaited = ['ReachedIgnitionEndpoint', 'AllMachinesReady', 'AllNodesHealthy'] as const

/** Those that have become True after one moment and until another, with how old the pool was then. */
export function transitionsIn(
  { metadata, status }: NodePool,
  after: Instant,
  until: Instant,
): readonly { condition: string; seconds: number }[] {
  const created = parseTime(metadata.creationTimestamp)
  if (created === undefined) return []
  return (status?.conditions ?? []).flatMap(({ type, status: is, lastTransitionTime }) => {
    const at = parseTime(lastTransitionTime)
    const counts = is === 'True' && awaited.some((each) => each === type) && at !== undefined && at > after && at <= until
    return counts ? [{ condition: type, seconds: (at - created) / 1000 }] : []
  })
}
