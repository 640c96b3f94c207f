import { HostedCluster } from '@windlass/api'
import type { capi, NodePool } from '@windlass/api'
import { hasCountedMinor, minorDistance, referenceVersion, tryParseVersion } from '@windlass/core'
import type { CacheReader } from '@windlass/kube'
import { machineDeployments, machineSets } from '../caches.ts'
import { healthyConditions, unhealthyConditions } from '../conditions/index.ts'
import { poolKeyOf } from '../names.ts'
import type { NodePoolSettings } from '../settings.ts'
import { judgePool, skewWindows } from '../skew/index.ts'

/** Every platform is there, so that a rule finds a 0 where there are none. */
export const platforms = ['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'Agent', 'PowerVS', 'None', 'OpenStack', 'GCP'] as const

/** A pool, and what figures about it are made from. */
export interface Reading {
  readonly pool: NodePool
  readonly cluster: HostedCluster | undefined
  readonly scaled: capi.MachineDeployment | capi.MachineSet | undefined
}

export function readingOf(pool: NodePool, cache: CacheReader): Reading {
  const { namespace = '', name } = pool.metadata
  const key = poolKeyOf(pool)
  const named = ({ metadata }: capi.MachineDeployment | capi.MachineSet): boolean => metadata.name === name
  return {
    pool,
    cluster: cache.get(HostedCluster, { namespace, name: pool.spec.clusterName }),
    scaled: cache.byIndex(machineDeployments, 'nodePool', key).find(named) ?? cache.byIndex(machineSets, 'nodePool', key).find(named),
  }
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

/** How many minors its nodes are behind; negative when they are ahead, undefined when either is not known. */
export function minorsBehind({ pool, cluster }: Reading, { source }: NodePoolSettings['skew']): number | undefined {
  const reference = tryParseVersion(cluster === undefined ? undefined : referenceVersion(cluster.status ?? {}, source))
  const version = tryParseVersion(pool.status?.version)
  if (reference === undefined || version === undefined || !hasCountedMinor(reference) || !hasCountedMinor(version)) return undefined
  return minorDistance(version, reference)
}

/** Machines whose nodes are well. What counts them leaves out a 0, so that nothing there means none, not that nothing is known. */
export function readyReplicas({ scaled }: Reading): number | undefined {
  return scaled === undefined ? undefined : (scaled.status?.readyReplicas ?? 0)
}

/** 1 when nodes are where they may not be, by the same verdict that people are given; undefined when that is not known. */
export function skewUnsupported({ pool, cluster }: Reading, skew: NodePoolSettings['skew']): 0 | 1 | undefined {
  if (cluster === undefined) return undefined
  const { verdict } = judgePool(pool, cluster, skewWindows(cluster, skew))
  if (verdict === 'Unknown') return undefined
  return verdict === 'Supported' ? 0 : 1
}

/** The conditions whose first time people wait for. */
export const awaited: readonly string[] = ['ReachedIgnitionEndpoint', 'AllMachinesReady', 'AllNodesHealthy']
