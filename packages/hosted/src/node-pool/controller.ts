import type { NodePool } from '@windlass/api'
import { done } from '@windlass/kube'
import type { AsyncControllerDefinition, Plan, ReconcileContext, Ref } from '@windlass/kube'
import { pools } from './caches.ts'
import { decideNodePool } from './decide.ts'
import type { NodePoolMetrics } from './metrics/node-pool-metrics.ts'
import { type NodePoolSources, observePool } from './observe.ts'
import type { NodePoolSettings } from './settings.ts'
import { watchesOf } from './watches.ts'

export interface NodePoolOptions extends NodePoolSources {
  readonly settings: NodePoolSettings
  readonly metrics?: Pick<NodePoolMetrics, 'saw'>
}

/** Looks after node pools: judges them, writes the Secrets that machines start with, and has the machines made. */
export function nodePool(options: NodePoolOptions): AsyncControllerDefinition<NodePool> {
  return {
    name: 'node-pool',
    for: pools,
    watches: watchesOf(options),
    maxConcurrent: 10,
    timeout: 120_000,
    backOff: { first: 1000, longest: 10_000 },
    reconcile: (ref, context) => reconcile(ref, options, context),
  }
}

async function reconcile(ref: Ref, options: NodePoolOptions, context: ReconcileContext): Promise<Plan> {
  const { cache, clock, random, act } = context
  const pool = cache.get(pools, ref)
  if (pool === undefined) return done
  options.metrics?.saw(pool, cache)
  if (options.settings.mode === 'Observe') return done
  const observed = await observePool(pool, options, context)
  const { error, ...plan } = decideNodePool(observed, clock.now(), options.settings, { token: random.uuid() })
  if (error === undefined) return plan
  // What was found out is written all the same; then it is tried again, later each time.
  for (const action of plan.actions) await act(action)
  throw new Error(error)
}
