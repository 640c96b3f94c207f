import type { DeploymentCondition } from '@windlass/api'
import { findCondition, formatTime, type Instant } from '@windlass/core'

type Conditions = readonly DeploymentCondition[]
export type Verdict = Required<Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>>

/**
 * Sets one condition. The same verdict for the same reason leaves everything as it was, its message and its times included; with `isNews` it is
 * brought up to date all the same. `lastTransitionTime` moves with the status alone.
 */
export function withCondition(conditions: Conditions, verdict: Verdict, now: Instant, { isNews = false } = {}): Conditions {
  const known = findCondition(conditions, verdict.type)
  if (known !== undefined && known.status === verdict.status && known.reason === verdict.reason && !isNews) return conditions
  const time = formatTime(now)
  const lastTransitionTime = known?.status === verdict.status ? (known.lastTransitionTime ?? time) : time
  const next: DeploymentCondition = { ...verdict, lastUpdateTime: time, lastTransitionTime }
  return known === undefined ? [...conditions, next] : conditions.map((each) => (each === known ? next : each))
}

export function available(isSo: boolean): Verdict {
  return isSo
    ? { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.' }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
}

/** How a rollout is getting on. */
export const progressing = {
  created: (replicaSet: string): Verdict => verdict('True', 'NewReplicaSetCreated', `Created new replica set "${replicaSet}"`),
  updated: (replicaSet: string): Verdict => verdict('True', 'ReplicaSetUpdated', `ReplicaSet "${replicaSet}" is progressing.`),
  complete: (replicaSet: string): Verdict =>
    verdict('True', 'NewReplicaSetAvailable', `ReplicaSet "${replicaSet}" has successfully progressed.`),
  timedOut: (replicaSet: string): Verdict =>
    verdict('False', 'ProgressDeadlineExceeded', `ReplicaSet "${replicaSet}" has timed out progressing.`),
  paused: verdict('Unknown', 'DeploymentPaused', 'Deployment is paused'),
  resumed: verdict('Unknown', 'DeploymentResumed', 'Deployment is resumed'),
}

function verdict(status: Verdict['status'], reason: string, message: string): Verdict {
  return { type: 'Progressing', status, reason, message }
}
