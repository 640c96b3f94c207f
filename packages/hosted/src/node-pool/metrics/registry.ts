import { HostedCluster, type NodePool } from '@windlass/api'
import { type Clock, parseTime } from '@windlass/core'
import type { CacheReader } from '@windlass/kube'
import type { Gauge, Histogram, Registry } from 'prom-client'
import type { NodePoolSettings } from '../settings.ts'
import type { PayloadStore } from '../token/index.ts'
import type { NodePoolMetrics } from './node-pool-metrics.ts'
import {
  ageOf,
  clusterLabelsOf,
  failuresOf,
  type Labels,
  labelsOf,
  minorsBehind,
  platforms,
  type Reading,
  readingsIn,
  transitionsIn,
} from './readings.ts'
import { Rollouts } from './rollouts.ts'
import { type Vcpus, vcpusOf } from './vcpus.ts'

const poolLabels = ['namespace', 'name', '_id', 'cluster_name', 'platform'] as const
const clusterLabels = ['namespace', 'name', '_id', 'platform'] as const
const transitionBuckets = [5, 10, 20, 30, 60, 90, 120, 180, 240, 300, 360, 480, 600]
const rolloutBuckets = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]

/** Puts the metrics into a registry. Figures about pools are worked out when somebody reads them; until a pool was looked at there are none. */
export async function nodePoolMetrics(clock: Clock, registry: Registry, skew: NodePoolSettings['skew']): Promise<NodePoolMetrics> {
  const { Counter, Gauge, Histogram } = await import('prom-client')
  const registers = [registry]
  let cache: CacheReader | undefined
  let store: PayloadStore | undefined
  let counted = clock.now()
  const readings = (): readonly Reading[] => (cache === undefined ? [] : readingsIn(cache))
  const rollouts = new Rollouts()

  const gauge = (name: string, help: string, labelNames: readonly string[], fill: (set: (labels: Labels, value: number) => void) => void) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers,
      collect(this: Gauge) {
        this.reset()
        fill((labels, value) => this.set(labels, value))
      },
    })
  const ofPools = (name: string, help: string, value: (reading: Reading) => number | undefined) =>
    gauge(name, help, poolLabels, (set) => {
      for (const reading of readings()) {
        const figure = value(reading)
        if (figure !== undefined) set(labelsOf(reading), figure)
      }
    })

  gauge('hypershift_nodepools', 'Node pools by platform.', ['platform'], (set) => {
    const counts = countedBy(readings(), ({ pool }) => pool.spec.platform.type)
    for (const platform of platforms) set({ platform }, counts.get(platform) ?? 0)
  })
  gauge(
    'hypershift_nodepools_failure_conditions',
    'Node pools with a condition that is not as it should be.',
    ['platform', 'condition'],
    (set) => {
      const all = readings().flatMap(({ pool }) => failuresOf(pool).map((condition) => `${pool.spec.platform.type}/${condition}`))
      for (const [key, count] of countedBy(all, (each) => each)) {
        const [platform = '', condition = ''] = key.split('/')
        set({ platform, condition }, count)
      }
    },
  )
  gauge('hypershift_hostedcluster_nodepools', 'Node pools of a hosted cluster.', clusterLabels, (set) => {
    const counts = countedBy(readings(), ({ pool }) => `${pool.metadata.namespace ?? ''}/${pool.spec.clusterName}`)
    for (const cluster of cache?.list(HostedCluster) ?? []) {
      const { namespace = '', name = '' } = cluster.metadata
      set(clusterLabelsOf(cluster), counts.get(`${namespace}/${name}`) ?? 0)
    }
  })
  const vcpus = (): readonly { readonly labels: Labels; readonly vcpus: Vcpus }[] => {
    if (cache === undefined) return []
    const all = readings()
    const from = cache
    return from.list(HostedCluster).map((cluster) => ({ labels: clusterLabelsOf(cluster), vcpus: vcpusOf(cluster, all, from) }))
  }
  gauge('hypershift_cluster_vcpus', 'Virtual CPUs of all nodes of a hosted cluster; -1 when that is not known.', clusterLabels, (set) => {
    for (const { labels, vcpus: is } of vcpus()) set(labels, 'count' in is ? is.count : -1)
  })
  gauge(
    'hypershift_cluster_vcpus_computation_error',
    'Why it is not known how many virtual CPUs a hosted cluster has.',
    [...clusterLabels, 'reason'],
    (set) => {
      for (const { labels, vcpus: is } of vcpus()) if ('reason' in is) set({ ...labels, reason: is.reason }, 1)
    },
  )
  ofPools('hypershift_nodepools_initial_rolling_out_duration_seconds', 'Age of pools that have no version yet.', ({ pool }) =>
    pool.status?.version === undefined ? ageOf(pool, clock.now()) : undefined,
  )
  ofPools('hypershift_nodepools_size', 'Nodes that are asked for.', ({ scaled }) => scaled?.spec.replicas)
  ofPools('hypershift_nodepools_available_replicas', 'Machines that there are.', ({ scaled }) => scaled?.status?.replicas)
  ofPools('hypershift_nodepools_deleting_duration_seconds', 'How long a pool has been on its way out.', ({ pool }) => {
    const since = parseTime(pool.metadata.deletionTimestamp)
    return since === undefined ? undefined : (clock.now() - since) / 1000
  })
  ofPools('windlass_nodepool_skew_minors', 'Minors that nodes are behind their control plane; negative is ahead.', (reading) =>
    minorsBehind(reading, skew),
  )
  gauge(
    'windlass_nodepool_version_info',
    'The version of a pool, and the image that it asks for.',
    [...poolLabels, 'version', 'target_version'],
    (set) => {
      for (const reading of readings()) {
        const { status, spec } = reading.pool
        const target = /:(\d+\.\d+\.\d+[^:@]*?)(?:-(?:x86_64|multi|aarch64|ppc64le|s390x))?$/.exec(spec.release.image)?.[1] ?? ''
        set({ ...labelsOf(reading), version: status?.version ?? '', target_version: target }, 1)
      }
    },
  )
  new Histogram({
    name: 'hypershift_nodepools_transition_seconds',
    help: 'From the creation of a pool to a condition of it.',
    labelNames: ['condition'],
    buckets: transitionBuckets,
    registers,
    collect(this: Histogram) {
      const now = clock.now()
      const seen = readings().flatMap(({ pool }) => transitionsIn(pool, counted, now))
      counted = now
      for (const { condition, seconds } of seen) this.observe({ condition }, seconds)
    },
  })
  const finished = new Histogram({
    name: 'windlass_nodepool_rollout_seconds',
    help: 'From the beginning of a change of nodes to its end.',
    labelNames: ['platform', 'strategy', 'kind'],
    buckets: rolloutBuckets,
    registers,
  })
  const rotations = new Counter({ name: 'ign_server_token_rotation_total', help: 'Tokens that were replaced.', registers })
  const misses = new Counter({ name: 'ign_server_payload_cache_miss_total', help: 'Payloads that had to be made.', registers })
  const generations = new Histogram({
    name: 'ign_server_payload_generation_seconds',
    help: 'How long it took to make a payload.',
    buckets: [5, 15, 30, 45, 60],
    registers,
  })
  gauge('ign_server_payload_cache_total', 'Payloads that are kept.', [], (set) => set({}, store?.size ?? 0))
  const requests = new Counter({ name: 'ign_server_get_request', help: 'Requests of machines.', labelNames: ['nodePool'], registers })

  return {
    saw(pool: NodePool, from: CacheReader) {
      cache = from
      for (const { seconds, ...labels } of rollouts.see(pool)) finished.observe(labels, seconds)
    },
    serves(kept) {
      store = kept
    },
    asked: (nodePool) => requests.inc({ nodePool }),
    rotated: () => rotations.inc(),
    generated(seconds) {
      misses.inc()
      if (seconds !== undefined) generations.observe(seconds)
    },
  }
}

function countedBy<T>(all: readonly T[], key: (each: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const each of all) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1)
  return counts
}
