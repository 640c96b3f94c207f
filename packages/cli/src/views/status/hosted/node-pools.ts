import type { NodePool } from '@windlass/api'
import { findCondition, isFalse, isTrue } from '@windlass/core'
import { versionsIn } from '../versions.ts'
import type { PoolView } from '../view.ts'

/** Conditions that must hold for a pool to be updated at all. */
export const prerequisites = [
  'ValidReleaseImage',
  'ValidMachineConfig',
  'ValidPlatformImage',
  'ValidTuningConfig',
  'ValidMachineTemplate',
  'ValidArchPlatform',
  'UpdateManagementEnabled',
] as const

export function isUpdating({ status }: NodePool): boolean {
  return isTrue(status?.conditions, 'UpdatingVersion') || isTrue(status?.conditions, 'UpdatingConfig')
}

export function isPaused({ status }: NodePool): boolean {
  return isFalse(status?.conditions, 'ReconciliationActive')
}

/**
 * How a pool of a hosted cluster goes, on its way to the release that it asks for. One that is there is measured by the version of its cluster, and
 * outdated if that is another: it stays so until somebody asks for more.
 */
export function nodePoolOf(pool: NodePool, clusterVersion: string | undefined): PoolView {
  const { spec, status, metadata } = pool
  const current = status?.version ?? ''
  const target = isUpdating(pool) ? targetOf(pool) : (clusterVersion ?? current)
  const nodes = status?.nodesInfo?.nodeVersions ?? []
  const total = Math.max(
    spec.replicas ?? 0,
    nodes.reduce((sum, { readyNodeCount, unreadyNodeCount }) => sum + readyNodeCount + unreadyNodeCount, 0),
    status?.replicas ?? 0,
  )
  const ready = nodes.reduce((sum, { readyNodeCount }) => sum + readyNodeCount, 0)
  const completed = nodes.filter(({ ocpVersion }) => ocpVersion === target).reduce((sum, { readyNodeCount }) => sum + readyNodeCount, 0)
  const done = isTrue(status?.conditions, 'UpdatingConfig') && target === current ? 0 : Math.min(total, completed)
  return {
    name: metadata.name ?? '',
    assessment: total === 0 ? 'Empty' : assess(pool, done === total),
    completionPercent: total === 0 ? 0 : Math.floor((100 * done) / total),
    total,
    completed: done,
    available: ready,
    progressing: 0,
    draining: 0,
    excluded: 0,
    degraded: 0,
    versions: versionsIn([
      { state: 'Partial', version: isUpdating(pool) ? target : current },
      { state: 'Completed', version: current },
    ]),
    nodes: [],
  }
}

function assess(pool: NodePool, isDone: boolean): string {
  const { conditions } = pool.status ?? {}
  if (isUpdating(pool)) {
    if (isPaused(pool)) return 'Excluded'
    return prerequisites.some((type) => isFalse(conditions, type)) ? 'Degraded' : 'Progressing'
  }
  return isDone ? 'Completed' : 'Outdated'
}

/** The pool names its release by an image; what version that is, it says only while it goes there. */
function targetOf({ status }: NodePool): string {
  const updating = findCondition(status?.conditions, 'UpdatingVersion')
  if (updating?.status !== 'True') return status?.version ?? ''
  return /Target version: (\S+)/.exec(updating.message ?? '')?.[1] ?? ''
}
