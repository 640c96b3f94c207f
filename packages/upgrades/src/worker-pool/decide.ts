import { type ClusterVersion, type MachineConfigPool, UpgradeConfig } from '@windlass/api'
import { formatTime, type Instant, isFalse, isTrue } from '@windlass/core'
import { done, type Plan, plan, status } from '@windlass/kube'
import { hasCommenced } from '../cluster/cluster-version.ts'
import { poolProgress, workerPoolName } from '../cluster/worker-pool.ts'
import { seen } from '../observed/seen.ts'
import { entryOf, historyOf, type HistoryEntry, withEntry } from '../upgrade-config/history.ts'

export interface PoolView {
  readonly pool: MachineConfigPool
  readonly upgradeConfig: UpgradeConfig | undefined
  readonly clusterVersion: ClusterVersion
}

export function isWorkerPool({ metadata }: MachineConfigPool): boolean {
  return metadata.name === workerPoolName
}

/** Writes down when the workers began and when they were done. These two times are all that it owns. */
export function decidePool({ pool, upgradeConfig, clusterVersion }: PoolView, now: Instant): Plan {
  if (upgradeConfig === undefined || !isWorkerPool(pool)) return done
  const entry = entryOf(upgradeConfig)
  if (entry?.phase !== 'Upgrading') return done
  const next = withWorkerTimes(entry, pool, isCommenced(upgradeConfig, clusterVersion), now)
  if (next === entry) return done
  const history = withEntry(historyOf(upgradeConfig), next)
  const reason = next.workerCompleteTime === undefined ? 'the workers have begun to change' : 'all workers have changed'
  // Another writer owns the rest of the entry: with a conflict, it is decided anew on what that one wrote.
  return plan(status(UpgradeConfig, upgradeConfig, { history }, reason, { ifUnchanged: true }))
}

/** The entry with the times that are known by now; the same entry when nothing is new. */
export function withWorkerTimes(entry: HistoryEntry, pool: MachineConfigPool, hasCommenced: boolean, now: Instant): HistoryEntry {
  const { machines, updated } = poolProgress(pool)
  const conditions = pool.status?.conditions
  if (entry.workerStartTime === undefined) {
    const isUpdating = isTrue(conditions, 'Updating') || updated < machines
    return isUpdating && hasCommenced ? { ...entry, workerStartTime: formatTime(now) } : entry
  }
  if (entry.workerCompleteTime !== undefined || machines !== updated || isFalse(conditions, 'Updated')) return entry
  return { ...entry, workerCompleteTime: formatTime(now) }
}

function isCommenced({ spec }: UpgradeConfig, clusterVersion: ClusterVersion): boolean {
  const answer = hasCommenced(spec.desired, seen(clusterVersion))
  return 'value' in answer && answer.value
}
