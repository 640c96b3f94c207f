import type { LabelRequirement, LabelSelector } from './shared.ts'

/** Where a Pod may run, and what else must run there or must not. */
export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] }
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly { readonly weight: number; readonly preference: NodeSelectorTerm }[]
  }
  readonly podAffinity?: PodAffinity
  readonly podAntiAffinity?: PodAffinity
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly LabelRequirement[]
}

export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[]
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number
    readonly podAffinityTerm: PodAffinityTerm
  }[]
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector
  readonly topologyKey: string
}

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'

/** Keeps Pods off a node unless they tolerate it. */
export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: TaintEffect
  /** When it was added; not every writer says so. */
  readonly timeAdded?: string
}

export interface Toleration {
  readonly key?: string
  readonly operator?: 'Exists' | 'Equal'
  readonly value?: string
  readonly effect?: TaintEffect
  readonly tolerationSeconds?: number
}
