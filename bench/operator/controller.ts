import { NodePool } from '@windlass/api'
import { findCondition, setCondition } from '@windlass/core'
import { cached, type CachedKind, type ControllerDefinition, done, plan, status } from '@windlass/kube'
import type { Following } from './jobs.ts'
import type { Tally } from './tally.ts'

const handles: Readonly<Record<Following['keeps'], CachedKind<NodePool>>> = {
  everything: cached(NodePool),
  'what is needed': cached(NodePool, {
    keeps: ['spec.clusterName', 'spec.release', 'spec.replicas', 'status'],
    drops: ['metadata.annotations'],
  }),
}

/** Looks at pools. With `work: 'status'` it first writes down in their status which change it has seen. */
export function lookingAtPools({ keeps, work }: Pick<Following, 'keeps' | 'work'>, tally: Tally): ControllerDefinition<NodePool, NodePool> {
  const handle = handles[keeps]
  return {
    name: 'bench',
    for: handle,
    maxConcurrent: work === 'nothing' ? 1 : 32,
    observe: (ref, cache) => {
      const pool = cache.get(handle, ref)
      if (pool !== undefined) tally.begin(pool)
      return pool
    },
    decide: (pool, now) => {
      const conditions = work === 'nothing' ? undefined : withSeen(pool, now)
      if (conditions !== undefined) return plan(status(NodePool, pool, { conditions }, 'it has changed'))
      tally.end()
      return done
    },
  }
}

/** The conditions with one that repeats what the one of the status patch says; undefined when they are so, or when there was no patch. */
function withSeen({ status }: NodePool, now: number): NonNullable<NodePool['status']>['conditions'] {
  const conditions = status?.conditions ?? []
  const message = findCondition(conditions, 'Ready')?.message
  if (message === undefined) return undefined
  const seen = setCondition(conditions, { type: 'Seen', status: 'True', reason: 'AsExpected', message }, now)
  return seen === conditions ? undefined : seen
}
