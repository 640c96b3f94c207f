import type { ClusterRow, SkewVerdict } from './fleet.ts'
import type { ConditionView } from './place.ts'
import type { EventView } from './events.ts'
import type { UpgradeView } from './upgrade.ts'

/** One cluster in full. */
export interface ClusterView {
  readonly time: string
  readonly row: ClusterRow
  readonly clusterId?: string
  readonly channel?: string
  readonly labels: Readonly<Record<string, string>>
  /** The two lanes of its time line, newest first. A classic cluster has one history, which is that of its data plane. */
  readonly controlPlaneHistory: readonly UpdateView[]
  readonly dataPlaneHistory: readonly UpdateView[]
  readonly components: readonly ComponentView[]
  readonly pools: readonly PoolView[]
  readonly conditions: readonly ConditionView[]
  /** Health insights that are open, worst first. */
  readonly insights: readonly InsightView[]
  /** Newest first, at most 100. */
  readonly events: readonly EventView[]
  /** Of classic clusters with an UpgradeConfig. */
  readonly upgrade?: UpgradeView
  readonly estimate?: EstimateView
}

/** An entry of a history. */
export interface UpdateView {
  readonly version: string
  readonly image?: string
  readonly state: 'Completed' | 'Partial'
  readonly startedTime: string
  /** Also of one that was given up: when the next one began. */
  readonly completionTime?: string
}

/** A part of a control plane: a component of a hosted one, a cluster operator of a classic one. */
export interface ComponentView {
  readonly name: string
  readonly version?: string
  readonly state: 'Done' | 'Rolling' | 'Waiting' | 'Behind' | 'Failing' | 'Unknown'
  /** Names of components that must be done before it; the edges of the graph. */
  readonly dependencies: readonly string[]
  readonly reason?: string
  readonly message?: string
}

export interface PoolView {
  readonly name: string
  /** Left out for machine config pools of classic clusters. */
  readonly namespace?: string
  readonly version?: string
  readonly desired?: string
  readonly state: 'Unknown' | 'Completed' | 'Paused' | 'Stalled' | 'Progressing'
  readonly upgradeType?: 'Replace' | 'InPlace'
  readonly wanted: number
  readonly ready: number
  readonly updated?: number
  readonly skew: SkewVerdict
  /** The rule behind the verdict, as a sentence. */
  readonly skewReason?: string
  /** The versions its nodes may have now: from a minor to a version. */
  readonly allowed?: { readonly from: string; readonly to: string }
  readonly conditions: readonly ConditionView[]
}

export interface InsightView {
  readonly name: string
  readonly summary: string
  readonly severity: 'Critical' | 'Warning' | 'Info'
  readonly impact?: string
  readonly description?: string
  readonly remedy?: string
  readonly since?: string
  readonly about: readonly string[]
}

/** When the update will be done. */
export interface EstimateView {
  /** With `unknownBecause` it is when it should have been done. */
  readonly completion: string
  /** By what finished updates took; left out where too few are known. */
  readonly earliest?: string
  readonly latest?: string
  /** Why there is none: "unknown, stalled because …". */
  readonly unknownBecause?: string
}
