import type { KubernetesObject } from '@windlass/api'
import { formatTime, type Instant } from '@windlass/core'
import type { ClusterLife } from './cluster.ts'

/**
 * - `waiting`: there is no kubeconfig yet.
 * - `connecting`: its caches are being filled.
 * - `connected`: they are up to date.
 * - `unreachable`: they are not, or cannot be filled.
 * - `failed`: something that runs for it has; it is started again.
 * - `stopping`: its object is gone, or its kubeconfig has changed.
 */
export type ClusterPhase = 'waiting' | 'connecting' | 'connected' | 'unreachable' | 'failed' | 'stopping'

/** How it is with one of many clusters. */
export interface ClusterStatus {
  /** `namespace/name` of the object that the cluster belongs to. */
  readonly name: string
  readonly phase: ClusterPhase
  /** When it came to this phase. A cluster that was connected and is out of reach now has the time when it was connected. */
  readonly since: string
  /** Why it is not connected, for people. */
  readonly reason?: string
}

/** What is remembered of a cluster. */
export interface ClusterEntry<T extends KubernetesObject> {
  phase: ClusterPhase
  reason: string | undefined
  since: Instant
  life: ClusterLife<T> | undefined
}

/** Whether one that was connected still is, its caches know best. */
export function statusOf<T extends KubernetesObject>(name: string, { phase, reason, since, life }: ClusterEntry<T>): ClusterStatus {
  const problem = phase === 'connected' ? life?.problem : reason
  const isCutOff = phase === 'connected' && problem !== undefined
  return { name, phase: isCutOff ? 'unreachable' : phase, since: formatTime(since), ...(problem === undefined ? {} : { reason: problem }) }
}
