import type { Condition } from '@windlass/core'
import type { ObjectMeta } from '../meta/object-meta.ts'
import { builtin } from './builtin.ts'
import type { IntOrPercent, LabelSelector } from './shared.ts'

/** How many Pods of an application may be away at a time; evictions ask it, deletions do not. */
export interface PodDisruptionBudget {
  readonly apiVersion: 'policy/v1'
  readonly kind: 'PodDisruptionBudget'
  readonly metadata: ObjectMeta
  /** At most one of the two amounts. */
  readonly spec: {
    readonly selector?: LabelSelector
    readonly minAvailable?: IntOrPercent
    readonly maxUnavailable?: IntOrPercent
    readonly unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget'
  }
  readonly status?: {
    readonly observedGeneration?: number
    /** 0 means that the next eviction is refused. */
    readonly disruptionsAllowed: number
    readonly currentHealthy: number
    readonly desiredHealthy: number
    readonly expectedPods: number
    /** Pods whose eviction was granted and that are not gone yet, with the time of the grant. */
    readonly disruptedPods?: Readonly<Record<string, string>>
    readonly conditions?: readonly Condition[]
  }
}

export const PodDisruptionBudget = builtin<PodDisruptionBudget>({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  hasStatusSubresource: true,
})
