import type { NodePool } from '@windlass/api'
import type { Clock } from '@windlass/core'
import type { CacheReader, Metrics } from '@windlass/kube'
import type { Gauge } from 'prom-client'
import type { NodePoolSettings } from '../settings.ts'
import type { PayloadStore } from '../token/index.ts'
import { NodePoolBoard } from './board.ts'
import type { NodePoolMetrics } from './node-pool-metrics.ts'
import { Rollouts } from './rollouts.ts'

const rolloutBuckets = [60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400]

/**
 * Puts the metrics where an operator exposes its own. Figures about pools are worked out when somebody reads them; until a pool was looked at, which only who leads
 * does, there are none.
 */
export async function nodePoolMetrics(
  clock: Clock,
  metrics: Pick<Metrics, 'add' | 'registry'>,
  skew: NodePoolSettings['skew'],
): Promise<NodePoolMetrics> {
  const { Counter, Gauge, Histogram } = await import('prom-client')
  const registers = [await metrics.registry()]
  let source: { readonly cache: CacheReader; readonly board: NodePoolBoard } | undefined
  let store: PayloadStore | undefined
  const rollouts = new Rollouts()
  metrics.add({ pieces: () => source?.board.pieces(source.cache, clock.now()) ?? [] })
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
  new Gauge({
    name: 'ign_server_payload_cache_total',
    help: 'Payloads that are kept.',
    registers,
    collect(this: Gauge) {
      this.set(store?.size ?? 0)
    },
  })
  const requests = new Counter({ name: 'ign_server_get_request', help: 'Requests of machines.', labelNames: ['nodePool'], registers })

  return {
    saw(pool: NodePool, cache: CacheReader) {
      const board = source?.board ?? new NodePoolBoard(skew, clock.now())
      source = { cache, board }
      board.see(pool, cache)
      for (const { seconds, ...labels } of rollouts.see(pool)) finished.observe(labels, seconds)
    },
    gone: (nodePool) => requests.remove({ nodePool }),
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
