import type { Deployment, DeploymentCondition, ReplicaSet } from '@windlass/api'
import { findCondition, type Instant, parseTime, removeCondition } from '@windlass/core'
import { counted } from '../counts.ts'
import type { Bounds } from './bounds.ts'
import { available, progressing, withCondition } from './conditions.ts'
import type { Revisions } from './revisions.ts'
import { totalOf } from './rolling-update.ts'

type Status = NonNullable<Deployment['status']>
type Counts = Readonly<Record<'replicas' | 'updatedReplicas' | 'readyReplicas' | 'availableReplicas' | 'unavailableReplicas', number>>

export interface Judged {
  readonly status: { readonly [K in keyof Status]?: Status[K] | undefined }
  /** Every Pod is of the present template and available, and none is left of any other. */
  readonly isComplete: boolean
  /** How long until the rollout takes too long; infinite when it cannot. */
  readonly untilTimeout: number
}

/** What can be said about a Deployment, from what its ReplicaSets say about themselves. */
export function judge(deployment: Deployment, revisions: Revisions, bounds: Bounds, now: Instant): Judged {
  const { metadata, spec, status } = deployment
  const counts = countsOf(revisions)
  const isComplete = [counts.replicas, counts.updatedReplicas, counts.availableReplicas].every((count) => count === bounds.replicas)
  const name = revisions.current?.metadata.name ?? ''
  let conditions = withCondition(status?.conditions ?? [], available(counts.availableReplicas >= bounds.leastAvailable), now)
  if (hasDeadline(deployment)) {
    const verdict =
      spec.paused === true
        ? pausedProgress(conditions)
        : progress({ conditions, counts, before: status, deployment, isComplete, name, now })
    if (verdict !== undefined) conditions = withCondition(conditions, verdict, now, { isNews: verdict.reason === 'ReplicaSetUpdated' })
  } else {
    conditions = removeCondition(conditions, 'Progressing')
  }
  return {
    status: {
      observedGeneration: metadata.generation,
      replicas: counted(counts.replicas),
      updatedReplicas: counted(counts.updatedReplicas),
      readyReplicas: counted(counts.readyReplicas),
      availableReplicas: counted(counts.availableReplicas),
      unavailableReplicas: counted(counts.unavailableReplicas),
      conditions,
    },
    isComplete,
    untilTimeout: untilTimeout(deployment, conditions, now),
  }
}

function countsOf({ current, all }: Revisions): Counts {
  const sum = (count: (status: NonNullable<ReplicaSet['status']>) => number | undefined): number =>
    all.reduce((total, { status }) => total + (status === undefined ? 0 : (count(status) ?? 0)), 0)
  const availableReplicas = sum((status) => status.availableReplicas)
  return {
    replicas: sum((status) => status.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum((status) => status.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, totalOf(all) - availableReplicas),
  }
}

/** The server's way to say "never". */
const noDeadline = 2 ** 31 - 1

function hasDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== noDeadline
}

/** A rollout that has timed out says so, paused or not. */
function pausedProgress(conditions: readonly DeploymentCondition[]) {
  return findCondition(conditions, 'Progressing')?.reason === 'ProgressDeadlineExceeded' ? undefined : progressing.paused
}

interface ProgressContext {
  readonly conditions: readonly DeploymentCondition[]
  readonly counts: Counts
  readonly before: Deployment['status']
  readonly deployment: Deployment
  readonly isComplete: boolean
  readonly name: string
  readonly now: Instant
}

/** Undefined when there is nothing new to say. */
function progress({ conditions, counts, before, deployment, isComplete, name, now }: ProgressContext) {
  const reason = findCondition(conditions, 'Progressing')?.reason
  // Pods that fail after a rollout is through are no rollout.
  if (reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updatedReplicas) return undefined
  if (isComplete) return progressing.complete(name)
  const hasBegun = reason === 'NewReplicaSetCreated' && counts.updatedReplicas > 0
  if (reason === undefined || reason === 'NewReplicaSetAvailable' || hasBegun || hasProgressed(counts, before))
    return progressing.updated(name)
  if (reason === 'DeploymentPaused') return progressing.resumed
  return untilTimeout(deployment, conditions, now) <= 0 ? progressing.timedOut(name) : undefined
}

function hasProgressed(counts: Counts, before: Deployment['status'] = {}): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before
  return (
    counts.updatedReplicas > updatedReplicas ||
    counts.replicas - counts.updatedReplicas < replicas - updatedReplicas ||
    counts.readyReplicas > readyReplicas ||
    counts.availableReplicas > availableReplicas
  )
}

/** The clock runs from the last progress. It stands still while nobody works on it, and when it is over. */
function untilTimeout({ spec }: Deployment, conditions: readonly DeploymentCondition[], now: Instant): number {
  const condition = findCondition(conditions, 'Progressing')
  const isRunning =
    condition !== undefined && !['NewReplicaSetAvailable', 'ProgressDeadlineExceeded', 'DeploymentPaused'].includes(condition.reason ?? '')
  const since = parseTime(condition?.lastUpdateTime)
  if (!isRunning || since === undefined || spec.progressDeadlineSeconds === undefined) return Number.POSITIVE_INFINITY
  return since + spec.progressDeadlineSeconds * 1_000 - now
}
