import type { NodePool } from '@windlass/api'
import { findCondition, parseTime } from '@windlass/core'
import { poolKeyOf } from '../names.ts'

const kinds = { version: 'UpdatingVersion', config: 'UpdatingConfig', template: 'UpdatingPlatformMachineTemplate' } as const

export interface Rollout {
  readonly platform: string
  readonly strategy: string
  readonly kind: keyof typeof kinds
  readonly seconds: number
}

/**
 * Follows changes of nodes from beginning to end.
 *
 * Caveat: what begins before this process does is measured from what the pool says; what ends while no process runs is not measured.
 */
export class Rollouts {
  readonly #began = new Map<string, number>()

  /** The changes that have come to an end since the pool was seen last. */
  see(pool: NodePool): readonly Rollout[] {
    const { spec, status, metadata } = pool
    const { type: platform } = spec.platform
    const strategy = spec.management.upgradeType === 'InPlace' ? 'InPlace' : (spec.management.replace?.strategy ?? 'RollingUpdate')
    return Object.entries(kinds).flatMap(([name, type]) => {
      const kind = name as keyof typeof kinds
      const key = `${kind} ${poolKeyOf(pool)}`
      const condition = findCondition(status?.conditions, type)
      const at = parseTime(condition?.lastTransitionTime)
      const began = this.#began.get(key)
      if (metadata.deletionTimestamp === undefined && condition?.status === 'True' && at !== undefined) {
        this.#began.set(key, at)
        return []
      }
      this.#began.delete(key)
      const isDone = condition?.status === 'False' && condition.reason === 'AsExpected'
      return isDone && began !== undefined && at !== undefined ? [{ platform, strategy, kind, seconds: (at - began) / 1000 }] : []
    })
  }
}
