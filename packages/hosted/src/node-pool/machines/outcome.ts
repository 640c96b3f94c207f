import type { Action } from '@windlass/kube'

/** What a pass does about the machines of a pool, and what it has seen of them. */
export interface MachinesOutcome {
  readonly actions: readonly Action[]
  /** Undefined when they were only just told what to become: nothing that is counted is about that. */
  readonly seen:
    | {
        readonly isComplete: boolean
        readonly available: number
        readonly conditions: readonly CapiCondition[]
      }
    | undefined
}

export interface CapiCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string
  readonly message?: string
}
