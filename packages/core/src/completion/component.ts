/** What the rules need of a ControlPlaneComponent. The objects from the API fit as they are. */
export interface ComponentReport {
  readonly metadata: { readonly name?: string; readonly deletionTimestamp?: string }
  readonly status?: {
    /** The version of its last finished rollout. */
    readonly version?: string
    /** The generation of the control plane that it last acted on. */
    readonly observedGeneration?: number
    readonly conditions?: readonly ReportedCondition[]
  }
}

export interface ReportedCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

/** Where every component has to get: a version, and the generation of the control plane that asked for it. */
export interface RolloutTarget {
  readonly version: string
  readonly generation: number
}

/** Why a component has not got there. */
export type Shortfall = 'VersionMismatch' | 'RolloutIncomplete' | 'StaleGeneration'

/**
 * Why the component has not reached the target, the first reason that applies; undefined when it has.
 *
 * Only evidence counts: a condition that is missing or Unknown is not True. `Available` plays no part. The generation matters after
 * a change of the image alone, when the version and the condition still say what they said before; components of older operators do
 * not report it, and are taken at their word.
 */
export function shortfallOf({ status }: ComponentReport, target: RolloutTarget): Shortfall | undefined {
  if (status === undefined || status.version === undefined || status.version === '') return 'VersionMismatch'
  if (status.version !== target.version) return 'VersionMismatch'
  if (rolloutCondition(status.conditions)?.status !== 'True') return 'RolloutIncomplete'
  const generation = status.observedGeneration ?? 0
  return generation === 0 || generation >= target.generation ? undefined : 'StaleGeneration'
}

/** What the component says about its rollout. */
export function rolloutCondition(conditions: readonly ReportedCondition[] | undefined): ReportedCondition | undefined {
  if (conditions === undefined) return undefined
  for (const condition of conditions) if (condition.type === 'RolloutComplete') return condition
  return undefined
}

/** A component that is being deleted has been disabled, and holds nothing back. */
export function counts(component: ComponentReport): boolean {
  return component.metadata.deletionTimestamp === undefined
}
