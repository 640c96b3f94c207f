import type { Pod, StatefulSet } from '@windlass/api'
import { type Instant } from '@windlass/core'
import { revisionLabel } from '../revision.ts'
import { isAvailable, isReady, isTerminating } from '../pods/index.ts'

/** The place of one Pod, which may be empty. */
export interface Replica {
  readonly ordinal: number
  readonly name: string
  readonly pod: Pod | undefined
}

export interface Replicas {
  /** The places that there should be, in order. */
  readonly wanted: readonly Replica[]
  /** Pods in places that there should not be, the last one first. */
  readonly surplus: readonly Replica[]
}

export function replicasOf({ metadata, spec }: StatefulSet, pods: readonly Pod[]): Replicas {
  const first = spec.ordinals?.start ?? 0
  const count = spec.replicas ?? 1
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(pod), pod]))
  const at = (ordinal: number): Replica => ({ ordinal, name: `${metadata.name}-${ordinal}`, pod: byOrdinal.get(ordinal) })
  const isWanted = (ordinal: number): boolean => ordinal >= first && ordinal < first + count
  return {
    wanted: Array.from({ length: count }, (_, index) => at(first + index)),
    surplus: [...byOrdinal.keys()]
      .filter((ordinal) => !isWanted(ordinal))
      .sort((a, b) => b - a)
      .map(at),
  }
}

function ordinalOf({ metadata }: Pod): number {
  return Number(/-(\d+)$/.exec(metadata.name ?? '')?.[1] ?? -1)
}

export function revisionOf({ metadata }: Pod): string | undefined {
  return metadata.labels?.[revisionLabel]
}

/** In service, and staying there. */
export function isHealthy(pod: Pod | undefined, minReadySeconds: number | undefined, now: Instant): pod is Pod {
  return pod !== undefined && !isTerminating(pod) && isRunningAndReady(pod) && isAvailable(pod, minReadySeconds, now)
}

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isReady(pod)
}
