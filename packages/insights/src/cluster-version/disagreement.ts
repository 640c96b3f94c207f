import type { ClusterVersion, ClusterVersionProgressInsight } from '@windlass/api'
import { findCondition, formatTime, parseTime } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { judgeUpdating } from './updating.ts'
import { versionsOf } from './versions.ts'

type Status = StatusOf<ClusterVersionProgressInsight>

/**
 * Why an insight does not tell of what its ClusterVersion does now; undefined when it does. An insight that nobody keeps any more stays where it is and looks as
 * good as new.
 */
export function disagreementWith(clusterVersion: ClusterVersion, status: Status | undefined): string | undefined {
  if (status === undefined) return 'it has no status'
  const said = findCondition(status.conditions, 'Updating')
  if (said === undefined) return 'it has no Updating condition'
  const { target = 'unknown', startedAt = status.startedAt } = newestUpdate(clusterVersion)
  const { version = 'unknown' } = status.versions.target
  if (target !== version || startedAt !== status.startedAt)
    return `it tells of the update to ${version} that began at ${status.startedAt}, not of the one to ${target} that began at ${startedAt}`
  const { status: updating } = judgeUpdating(clusterVersion)
  return updating === said.status ? undefined : `it says Updating=${said.status} where the ClusterVersion comes to Updating=${updating}`
}

function newestUpdate(clusterVersion: ClusterVersion): { readonly target: string | undefined; readonly startedAt: string | undefined } {
  const started = parseTime(clusterVersion.status?.history?.[0]?.startedTime)
  return {
    target: versionsOf(clusterVersion, { knowsArchitectures: false })?.target.version,
    startedAt: started === undefined ? undefined : formatTime(started),
  }
}
