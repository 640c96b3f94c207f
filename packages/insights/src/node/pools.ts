import type { LabelSelector, MachineConfigPool } from '@windlass/api'
import { selects } from '@windlass/kube'
import type { ScopeType } from '../health/index.ts'
import { layeringLabel } from './annotations.ts'

/** What matters of a pool to its nodes. */
export interface Pool {
  readonly name: string
  readonly selector: LabelSelector | undefined
  readonly isPaused: boolean
  /** Its nodes run images, and not only files that were put on them. */
  readonly isLayered: boolean
}

export function poolFrom({ metadata, spec }: MachineConfigPool): Pool {
  return {
    name: metadata.name ?? '',
    selector: spec.nodeSelector,
    isPaused: spec.paused === true,
    isLayered: metadata.labels?.[layeringLabel] !== undefined,
  }
}

/**
 * The pool that a node is in. Nodes of a custom pool are workers too, so that one wins over `worker`; nothing wins over `master`. A node in two custom pools is a
 * mistake that its operator refuses: then it is the first by name, so that it is always the same.
 */
export function poolOf(labels: Readonly<Record<string, string>> | undefined, pools: readonly Pool[]): Pool | undefined {
  let best: Pool | undefined
  for (const pool of pools) if (selects(pool.selector, labels) && (best === undefined || isBefore(pool, best))) best = pool
  return best
}

function isBefore(a: Pool, b: Pool): boolean {
  const [left, right] = [rankOf(a), rankOf(b)]
  return left === right ? a.name < b.name : left < right
}

function rankOf({ name }: Pool): number {
  return name === 'master' ? 0 : name === 'worker' ? 2 : 1
}

/** The nodes of `master` are the control plane. */
export function scopeOf(pool: string): ScopeType {
  return pool === 'master' ? 'ControlPlane' : 'WorkerPool'
}

export function poolReference(name: string) {
  return { group: 'machineconfiguration.openshift.io', resource: 'machineconfigpools', name } as const
}
