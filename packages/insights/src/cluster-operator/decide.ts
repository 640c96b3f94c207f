import { type ClusterOperator, ClusterOperatorProgressInsight, type ClusterVersion, type UpdateHealthInsight } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { done, equalJson, type Plan, plan, requeueAfter, wait } from '@windlass/kube'
import { decideHealth, type Observations } from '../health/index.ts'
import { forgotten, published } from '../lifecycle/index.ts'
import { noteOperator, updateOf } from '../records/index.ts'
import { assessClusterOperator } from './assess.ts'
import { observe } from './health.ts'

export interface Observed {
  readonly name: string
  /** Undefined also for an operator that is not part of the release: no update concerns it. */
  readonly operator: ClusterOperator | undefined
  readonly insight: ClusterOperatorProgressInsight | undefined
  readonly clusterVersion: ClusterVersion | undefined
  readonly health: readonly UpdateHealthInsight[]
  /** Whether problems are of interest now. */
  readonly isInProgress: boolean
  /** Whether it is noted when it gets to the version of an update. */
  readonly isNoted?: boolean
}

const unobserved: Observations = { observations: [], nextAt: undefined }

/** What one look at an operator comes to. */
export function decide(
  { name, operator, insight, clusterVersion, health, isInProgress, isNoted = false }: Observed,
  now: Instant,
  speed = 1,
): Plan {
  if (operator === undefined) {
    if (insight === undefined && health.length === 0) return done
    return forgotten(ClusterOperatorProgressInsight, insight, health, `ClusterOperator ${name} is not, or no more, a part of the release`)
  }
  if (clusterVersion === undefined) return wait('ClusterVersion version: without it nobody knows which version is wanted')
  if (insight?.metadata.deletionTimestamp !== undefined) return wait(`the old insight into ClusterOperator ${name} to be gone`)
  const status = assessClusterOperator(operator, clusterVersion.status?.desired.version ?? '', insight?.status, now)
  const note = isNoted ? noteOperator(insight, status, updateOf(clusterVersion), now) : undefined
  // What is written to the insight is the reason for another look, which finds the note there and writes the rest.
  if (note !== undefined) return plan(note)
  const { observations, nextAt } = isInProgress ? observe(operator, status, now, speed) : unobserved
  const words = status.conditions?.map(({ type, status: is, reason }) => `${type}=${is} (${reason})`).join(', ')
  return plan(
    published({
      kind: ClusterOperatorProgressInsight,
      name,
      insight,
      status: equalJson(insight?.status, status) ? undefined : status,
      reason: `the operator is ${words}`,
    }),
    decideHealth({ manager: 'clusteroperator', owner: insight, existing: health }, observations, now),
    nextAt === undefined ? undefined : requeueAfter(Math.max(0, nextAt - now)),
  )
}
