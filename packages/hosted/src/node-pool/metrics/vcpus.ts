import type { NodePool } from '@windlass/api'
import type { CacheReader } from '@windlass/kube'
import { configMaps } from '../caches.ts'
import type { Reading } from './readings.ts'

/** Where people say how many virtual CPUs an instance type has, by its name: there is no cloud that we could ask. */
export const instanceTypesRef = { namespace: 'hypershift', name: 'rosa-cpus-instance-types-config' } as const

/** What the autoscaler is told about a machine, by whoever knows. */
const ofMachine = 'machine.openshift.io/vCPU'

/** A number; or why there is none, in one of a few fixed sentences that rules can match. */
export type Vcpus = { readonly count: number } | { readonly reason: string }

/**
 * How many virtual CPUs the nodes of a cluster have together, by what was read of its pools.
 *
 * People are billed by it: where it is not known of a single pool that has nodes, it is not known at all.
 */
export function vcpusOf(readings: readonly Reading[], cache: CacheReader): Vcpus {
  const types = cache.get(configMaps, instanceTypesRef)?.data
  let count = 0
  for (const { pool, scaled } of readings) {
    const nodes = pool.status?.replicas ?? 0
    if (nodes === 0) continue
    const each = perNode(pool, scaled?.metadata.annotations?.[ofMachine], types)
    if ('reason' in each) return each
    count += each.count * nodes
  }
  return { count }
}

function perNode({ spec }: NodePool, told: string | undefined, types: Readonly<Record<string, string>> | undefined): Vcpus {
  if (spec.platform.type !== 'AWS') return { reason: 'unsupported platform' }
  if (spec.platform.aws === undefined) return { reason: 'spec.platform.aws missing in node pool' }
  const text = told ?? types?.[spec.platform.aws.instanceType]
  if (text !== undefined) return /^\d{1,6}$/.test(text) ? { count: Number(text) } : { reason: 'unable to parse ConfigMap data' }
  return { reason: types === undefined ? 'ROSA CPUs instance types ConfigMap not found' : 'unknown instance type' }
}
