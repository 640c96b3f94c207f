import type { ClusterOperator, ClusterVersion, ClusterVersionProgressInsight, MachineConfigPoolProgressInsight } from '@windlass/api'
import {
  baselineOf,
  type Duration,
  estimateRemaining,
  formatTime,
  type Instant,
  lateBy,
  parseTime,
  type UpdateProgress,
  wholeSeconds,
} from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { updatedOperators } from '../cluster-operator/payload.ts'
import { conditionsAfter, type Judgement } from '../conditions.ts'
import { earliest, hasOutdatedNodes, type Observations } from '../health/index.ts'
import type { InsightMode } from '../mode.ts'
import { complete, type Completion, completionOf } from './completion.ts'
import { forced, observe } from './health.ts'
import { judgeHealthy, stalledAfter } from './healthy.ts'
import { hasEnded, judgeUpdating } from './updating.ts'
import { isArchitectureMigration, versionsOf } from './versions.ts'

export type ProgressStatus = StatusOf<ClusterVersionProgressInsight>

export interface Surroundings {
  readonly operators: readonly ClusterOperator[]
  /** How the pools of nodes are doing. */
  readonly pools: readonly MachineConfigPoolProgressInsight[]
  /** When something moved last, for a look that has nothing stored to compare with. */
  readonly lastProgressAt?: Instant | undefined
}

export interface Assessment extends Observations {
  readonly isUpdating: boolean
  /** Undefined when the version operator names no version that could be written. */
  readonly status: ProgressStatus | undefined
}

const assessments = { True: 'Progressing', False: 'Completed', Unknown: 'Unknown' } as const

/** How the update of a control plane goes. `stored` is what was last published about it, which is all that needs to be remembered. */
export function assessClusterVersion(
  clusterVersion: ClusterVersion,
  stored: ProgressStatus | undefined,
  { operators: all, pools, lastProgressAt }: Surroundings,
  now: Instant,
  mode: InsightMode,
  speed = 1,
): Assessment {
  const knows = { knowsArchitectures: mode === 'extended' }
  const operators = updatedOperators(all, mode)
  const updating = judgeUpdating(clusterVersion)
  const isUpdating = updating.status === 'True'
  const completion = updating.status === 'False' ? complete : completionOf(clusterVersion, operators, knows)
  const progress = progressOf(clusterVersion, completion, lastProgressAt ?? lastSeen(stored, completion), now, speed)
  const estimate = isEstimated(clusterVersion, updating, mode) ? estimateOf(progress, now, speed) : undefined
  const times = { startedAt: formatTime(progress.startedAt), lastObservedProgress: formatTime(progress.lastProgressAt) }
  const versions = versionsOf(clusterVersion, knows)
  const isInProgress = updating.status !== 'False' || pools.some(hasOutdatedNodes)
  const signs = {
    clusterVersion,
    updating,
    isUpdating,
    isInProgress,
    operators,
    target: versions?.target.version,
    ...times,
    estimate,
    stored,
    speed,
  }
  const healthy = mode === 'extended' ? judgeHealthy(signs, now) : undefined
  const observed = mode === 'extended' ? observe(signs, now) : undefined
  const status: Omit<ProgressStatus, 'versions'> = {
    name: clusterVersion.metadata.name ?? '',
    assessment: isUpdating && healthy?.judgement.status === 'False' ? 'Degraded' : assessments[updating.status],
    completionPercent: completion.percent,
    ...times,
    ...completedAt(clusterVersion, updating),
    ...(estimate === undefined ? {} : { estimatedCompletedAt: estimate.completedAt }),
    conditions: conditionsAfter(stored?.conditions, healthy === undefined ? [updating] : [updating, healthy.judgement], now),
  }
  return {
    isUpdating,
    status: versions === undefined ? undefined : { ...status, versions },
    observations: [...forced(clusterVersion), ...(observed?.observations ?? [])],
    nextAt: earliest(healthy?.nextAt, observed?.nextAt, isUpdating && mode === 'extended' ? estimate?.worseAt : undefined),
  }
}

/** Undefined when this is the look that sees progress. */
function lastSeen(stored: ProgressStatus | undefined, { percent }: Completion): Instant | undefined {
  return stored?.completionPercent === percent ? parseTime(stored.lastObservedProgress) : undefined
}

/** How far it is. A look that sees progress counts from now on. */
function progressOf(
  clusterVersion: ClusterVersion,
  { ratio }: Completion,
  lastProgressAt: Instant | undefined,
  now: Instant,
  speed: number,
): UpdateProgress {
  return {
    startedAt: startOf(clusterVersion, now),
    lastProgressAt: lastProgressAt ?? wholeSeconds(now),
    completion: ratio,
    baseline: baselineOf(clusterVersion.status?.history ?? [], speed),
    speed,
  }
}

/** By the record, never by conditions: their times differ by some seconds. */
function startOf({ status, metadata }: ClusterVersion, now: Instant): Instant {
  return parseTime(status?.history?.[0]?.startedTime) ?? parseTime(metadata.creationTimestamp) ?? now
}

function completedAt({ status }: ClusterVersion, updating: Judgement): Pick<ProgressStatus, 'completedAt'> {
  const time = updating.status === 'False' ? parseTime(status?.history?.[0]?.completionTime) : undefined
  return time === undefined ? {} : { completedAt: formatTime(time) }
}

/** Only a running update ends some day. To move to another architecture takes as long as it takes: there is nothing to measure it by. */
function isEstimated({ status }: ClusterVersion, updating: Judgement, mode: InsightMode): boolean {
  const newest = status?.history?.[0]
  if (updating.status === 'False' || newest === undefined) return false
  if (newest.state !== 'Partial' || hasEnded(newest)) return false
  return mode === 'compat' || !isArchitectureMigration(status)
}

interface Estimate {
  readonly completedAt: string
  /** Negative while it is not late. */
  readonly overdue: Duration
  /** When it will be late, or so late that it counts as stalled, if nothing moves until then. */
  readonly worseAt: Instant | undefined
}

function estimateOf(progress: UpdateProgress, now: Instant, speed: number): Estimate {
  const remaining = estimateRemaining(progress, now)
  const next = [0, stalledAfter / speed].find((limit) => -remaining <= limit)
  const isDone = progress.completion >= 1
  // Estimates are in whole seconds: it takes most of another one to be over the limit.
  const worseAt = next === undefined || isDone ? undefined : Math.max(lateBy(next + 1000, progress), now + 1000)
  return { completedAt: formatTime(now + remaining), overdue: 0 - remaining, worseAt }
}
