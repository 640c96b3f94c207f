import type { StatusOf } from '@windlass/kube'
import type { UpdateHealthInsight } from '@windlass/api'

type Health = StatusOf<UpdateHealthInsight>

/**
 * How an update goes, with everything that is shown of it. The same for a standalone cluster and for a hosted one: what printing needs and what programs
 * get with `-o json`.
 */
export interface StatusView {
  /** `namespace/name` of a hosted cluster. */
  readonly cluster?: string
  /** False when there is nothing to report: everything is where it should be. */
  readonly isUpdating: boolean
  readonly controlPlane: ControlPlaneView
  /** What the cluster version operator of a hosted cluster does. */
  readonly dataPlane?: DataPlaneView
  /** Those of workers; `worker` first, then by name. */
  readonly pools: readonly PoolView[]
  /** The worst first. */
  readonly health: readonly HealthView[]
  /** What is doubtful about what all of this was read from. */
  readonly notes?: readonly string[]
}

/** From where to where. */
export interface VersionsView {
  /** Absent when it is not known. */
  readonly target?: string
  readonly previous?: string
  readonly isInstallation: boolean
  readonly isPreviousPartial: boolean
  /** The target is the release for all architectures of the same version. */
  readonly isMultiArchitecture: boolean
}

export interface TimesView {
  readonly startedAt?: string
  readonly completedAt?: string
  readonly estimatedCompletedAt?: string
  /** From the start to the end, or until now. */
  readonly durationSeconds?: number
  /** Until the estimated end; negative when that is past. */
  readonly remainingSeconds?: number
  /** How long earlier updates took; only where there is no estimate. */
  readonly usual?: { readonly updates: number; readonly shortestSeconds: number; readonly longestSeconds: number }
}

/** When it should be done, by how finished updates of the same cluster went; or why nobody can tell. */
export type LearnedView =
  | {
      readonly state: 'expected'
      /** How many finished updates it is learned from. */
      readonly updates: number
      readonly earliest: string
      readonly latest: string
      /** Between them. */
      readonly likely: string
    }
  | {
      readonly state: 'stalled' | 'slower'
      readonly updates: number
      /** What is awaited. */
      readonly on: readonly string[]
      /** Until when it should have been done. */
      readonly due: string
    }

export interface ControlPlaneView {
  readonly assessment: string
  readonly isCompleted: boolean
  readonly versions: VersionsView
  readonly completionPercent: number
  readonly times: TimesView
  /** Absent where there is nothing to learn from. */
  readonly learned?: LearnedView
  /** What it is made of: the operators of a standalone cluster, the components of a hosted control plane. */
  readonly parts: PartsView
  /** Its machines, where it has any of its own. */
  readonly nodes?: PoolView
}

export interface PartsView {
  readonly kind: 'operators' | 'components'
  readonly updated: number
  readonly waiting: number
  /** Those that are on their way, by name. */
  readonly updating: readonly UpdatingPart[]
  readonly healthy: number
  readonly unavailable: number
  readonly degraded: number
  readonly unknown: number
}

export interface UpdatingPart {
  readonly name: string
  readonly since?: string
  readonly reason: string
  readonly message: string
}

export interface DataPlaneView {
  readonly assessment: string
  readonly isCompleted: boolean
  readonly versions: VersionsView
  readonly times: TimesView
  /** What the operator says of itself; empty when it says nothing. */
  readonly message: string
}

export interface PoolView {
  readonly name: string
  readonly assessment: string
  readonly completionPercent: number
  readonly total: number
  readonly completed: number
  readonly available: number
  readonly progressing: number
  readonly draining: number
  readonly excluded: number
  readonly degraded: number
  /** What its nodes run, and where they go; only of the pools of a hosted cluster, whose nodes are not listed. */
  readonly versions?: VersionsView
  /** Absent where there is nothing to learn from, and when it is done. */
  readonly learned?: LearnedView
  /** The worst first. */
  readonly nodes: readonly NodeView[]
}

export const nodeAssessments = ['Degraded', 'Unavailable', 'Progressing', 'Excluded', 'Outdated', 'Completed'] as const
export type NodeAssessment = (typeof nodeAssessments)[number]

export const nodePhases = ['Draining', 'Updating', 'Rebooting', 'Paused', 'Pending', 'Updated'] as const
export type NodePhase = (typeof nodePhases)[number]

export interface NodeView {
  readonly name: string
  readonly assessment: NodeAssessment
  readonly phase: NodePhase
  /** Absent when it is not known. */
  readonly version?: string
  readonly isAvailable: boolean
  /** How much longer it takes, in Go's notation. */
  readonly estimatedToComplete?: string
  readonly message: string
}

export interface HealthView {
  readonly name: string
  readonly since?: string
  readonly level: Health['impact']['level']
  readonly impact: Health['impact']['type']
  readonly summary: string
  readonly description: string
  readonly reference?: string
  readonly resources: NonNullable<Health['scope']['resources']>
}
