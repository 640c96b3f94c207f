import { NodeProgressInsight, type UpdateHealthInsight } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { done, equalJson, type Plan, plan, requeueAfter, wait } from '@windlass/kube'
import { decideHealth } from '../health/index.ts'
import { forgotten, published } from '../lifecycle/index.ts'
import { assessNode } from './assess.ts'
import type { BudgetName } from './drain.ts'
import { observe } from './health.ts'
import type { NodeState } from './node-state.ts'

export interface Observed {
  readonly name: string
  /** `none`: the node is gone, or in no pool. `unknown`: there is no cluster version to judge it against. */
  readonly state: NodeState | 'none' | 'unknown'
  readonly insight: NodeProgressInsight | undefined
  readonly health: readonly UpdateHealthInsight[]
  /** Whether problems are of interest now. */
  readonly isInProgress: boolean
  /** Those that hold up its drain. */
  readonly budgets: readonly BudgetName[]
}

/** What one look at a node comes to. */
export function decide({ name, state, insight, health, isInProgress, budgets }: Observed, now: Instant, speed = 1): Plan {
  if (state === 'unknown') return wait('ClusterVersion version: without it nobody knows which version is wanted')
  if (state === 'none') {
    if (insight === undefined && health.length === 0) return done
    return forgotten(NodeProgressInsight, insight, health, `Node ${name} is gone, or in no pool`)
  }
  if (insight?.metadata.deletionTimestamp !== undefined) return wait(`the old insight into Node ${name} to be gone`)
  const status = assessNode(state, insight?.status, now)
  const { observations, nextAt } = isInProgress
    ? observe({ state, progress: status, budgets }, now, speed)
    : { observations: [], nextAt: undefined }
  return plan(
    published({
      kind: NodeProgressInsight,
      name,
      insight,
      status: equalJson(insight?.status, status) ? undefined : status,
      reason: `the node is ${state.phase} in pool ${state.pool.name}`,
    }),
    decideHealth({ manager: 'node', owner: insight, existing: health }, observations, now),
    nextAt === undefined ? undefined : requeueAfter(Math.max(0, nextAt - now)),
  )
}
