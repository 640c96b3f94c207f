import type { NodeProgressInsight, UpdateHealthInsight } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'

export type HealthStatus = StatusOf<UpdateHealthInsight>
export type ScopeType = HealthStatus['scope']['type']
export type ResourceReference = StatusOf<NodeProgressInsight>['poolResource']

/** Something worth knowing about the health of an update. */
export interface Observation {
  readonly scope: ScopeType
  /** What it is about; the first names the object that was looked at. */
  readonly resources: readonly ResourceReference[]
  readonly level: HealthStatus['impact']['level']
  readonly impact: HealthStatus['impact']['type']
  /** Names the insight, together with the resources: it must hold neither counters nor durations. */
  readonly summary: string
  readonly description: string
  readonly reference: string
  /** Undefined when nobody noted it: then it began when we first saw it. */
  readonly since: Instant | undefined
}

/** What was observed, and when to look again though nothing may have changed. */
export interface Observations {
  readonly observations: readonly Observation[]
  readonly nextAt: Instant | undefined
}

/** `Cluster Operator etcd is degraded (Reason)`; without the parenthesis where there is no reason. */
export function withReason(text: string, reason: string | undefined): string {
  return reason === undefined || reason === '' ? text : `${text} (${reason})`
}

/** A description may not be empty: that reads as if something had been lost. */
export function orNoMessage(message: string | undefined): string {
  return message === undefined || message === '' ? '<no message>' : message
}
