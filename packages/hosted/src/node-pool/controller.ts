import type { NodePool } from '@windlass/api'
import { done, event, isOvertaken } from '@windlass/kube'
import type { AsyncControllerDefinition, Plan, ReconcileContext, Ref } from '@windlass/kube'
import { pools } from './caches.ts'
import { decideNodePool, type NodePoolPlan } from './decide.ts'
import type { NodePoolMetrics } from './metrics/node-pool-metrics.ts'
import { type NodePoolSources, observePool } from './observe.ts'
import type { NodePoolSettings } from './settings.ts'
import { watchesOf } from './watches.ts'

export interface NodePoolOptions extends NodePoolSources {
  readonly settings: NodePoolSettings
  readonly metrics?: Pick<NodePoolMetrics, 'saw' | 'gone'>
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
  const { cache, act, signal } = context
  const pool = cache.get(pools, ref)
  if (pool === undefined) {
    options.metrics?.gone(`${ref.namespace ?? ''}/${ref.name}`)
    return done
  }
  options.metrics?.saw(pool, cache)
  if (options.settings.mode === 'Observe') return done
  const {
    error,
    actions: _,
    ...plan
  } = await pass(pool, options, context).catch(async (failure: unknown) => {
    if (!signal.aborted && !isOvertaken(failure)) await act(event(pool, 'Warning', 'ReconcileError', wordsOf(failure)))
    throw failure
  })
  // What was found out is written all the same; then it is tried again, later each time.
  if (error !== undefined) throw new Error(error)
  return { ...plan, actions: [] }
}

/** One pass, carried out here and not by whoever asked for it: people are told when something of it fails. */
async function pass(pool: NodePool, options: NodePoolOptions, context: ReconcileContext): Promise<NodePoolPlan> {
  const { clock, random, act } = context
  const observed = await observePool(pool, options, context)
  const plan = decideNodePool(observed, clock.now(), options.settings, { token: random.uuid() })
  for (const action of plan.actions) await act(action)
  return plan
}

function wordsOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
