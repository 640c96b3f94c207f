import { type ClusterVersion, ClusterVersionProgressInsight, type UpdateHealthInsight } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { done, type Plan, plan, requeueAfter, wait } from '@windlass/kube'
import { decideHealth } from '../health/index.ts'
import { forgotten, published } from '../lifecycle/index.ts'
import type { InsightMode } from '../mode.ts'
import { type Assessment, assessClusterVersion, type Surroundings } from './assess.ts'
import { differsSignificantly } from './significance.ts'

export interface Observed extends Surroundings {
  readonly name: string
  readonly clusterVersion: ClusterVersion | undefined
  readonly insight: ClusterVersionProgressInsight | undefined
  /** Those about this cluster version. */
  readonly health: readonly UpdateHealthInsight[]
}

/** Estimates go stale without any event: so often they are made anew while an update runs. */
const refreshAfter = 60_000

/** What one look at a cluster version comes to. */
export function decide(
  { name, clusterVersion, insight, health, ...surroundings }: Observed,
  now: Instant,
  mode: InsightMode,
  speed = 1,
): Plan {
  if (clusterVersion === undefined) {
    if (insight === undefined && health.length === 0) return done
    return forgotten(ClusterVersionProgressInsight, insight, health, `ClusterVersion ${name} is gone`)
  }
  if (insight?.metadata.deletionTimestamp !== undefined) return wait(`the old insight into ClusterVersion ${name} to be gone`)
  const assessment = assessClusterVersion(clusterVersion, insight?.status, surroundings, now, mode, speed)
  const { status, observations } = assessment
  const isWorthWriting = status !== undefined && differsSignificantly(insight?.status, status, speed)
  return plan(
    published({
      kind: ClusterVersionProgressInsight,
      name,
      insight,
      status: isWorthWriting ? status : undefined,
      reason: `the update is at ${status?.completionPercent ?? 0}%, ${status?.assessment}`,
    }),
    decideHealth({ manager: 'clusterversion', owner: insight, existing: health }, observations, now),
    nextLook(assessment, now, mode, speed),
    status === undefined ? wait(`ClusterVersion ${name} to name a version, in its history or as desired`) : undefined,
  )
}

function nextLook({ isUpdating, nextAt }: Assessment, now: Instant, mode: InsightMode, speed: number): Plan {
  const refresh = isUpdating && mode === 'extended' ? refreshAfter / speed : Number.POSITIVE_INFINITY
  return requeueAfter(Math.min(refresh, nextAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, nextAt - now)))
}
