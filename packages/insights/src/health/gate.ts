import type { ClusterVersionProgressInsight, MachineConfigPoolProgressInsight } from '@windlass/api'
import { isTrue, isUnknown } from '@windlass/core'

/**
 * Whether anything is being updated: the control plane, as far as one can tell, or nodes that are behind it. Problems of a cluster at rest are
 * the business of its monitoring.
 */
export function isUpdateInProgress(
  controlPlane: ClusterVersionProgressInsight['status'],
  pools: readonly MachineConfigPoolProgressInsight[],
): boolean {
  return isControlPlaneUpdating(controlPlane) || pools.some(hasOutdatedNodes)
}

export function isControlPlaneUpdating(status: ClusterVersionProgressInsight['status']): boolean {
  return isTrue(status?.conditions, 'Updating') || isUnknown(status?.conditions, 'Updating')
}

export function hasOutdatedNodes({ status }: MachineConfigPoolProgressInsight): boolean {
  const count = (type: string): number => status?.summaries?.find((summary) => summary.type === type)?.count ?? 0
  return count('Total') > 0 && count('Outdated') > 0
}
