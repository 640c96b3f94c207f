import type { ClusterOperator, ClusterVersion } from '@windlass/api'
import { isTrue } from '@windlass/core'
import { isArchitectureMigration } from './versions.ts'

/** The version that an operator has reached with all its parts; empty when it does not say. */
export function operatorVersion({ status }: ClusterOperator): string {
  return status?.versions?.find(({ name }) => name === 'operator')?.version ?? ''
}

export interface Completion {
  /** Whole percent, rounded down: 100 means all. */
  readonly percent: number
  /** The same from 0 to 1, not rounded. */
  readonly ratio: number
}

export const complete: Completion = { percent: 100, ratio: 1 }

/** How many of the operators have reached the desired version. Without operators, nothing is done. */
export function completionOf(
  { status }: ClusterVersion,
  operators: readonly ClusterOperator[],
  { knowsArchitectures }: { readonly knowsArchitectures: boolean },
): Completion {
  if (operators.length === 0) return { percent: 0, ratio: 0 }
  const desired = status?.desired.version ?? ''
  const isMigration = knowsArchitectures && isArchitectureMigration(status)
  const updated = operators.filter((operator) => {
    if (desired === '' || operatorVersion(operator) !== desired) return false
    return !(isMigration && isStillMigrating(operator))
  }).length
  // Multiplied first: 57 / 100 * 100 is less than 57 in floating point.
  return { percent: Math.floor((100 * updated) / operators.length), ratio: updated / operators.length }
}

/** All versions match from the start when only the architecture changes. The operator that replaces the nodes' systems tells by its progress. */
function isStillMigrating({ metadata, status }: ClusterOperator): boolean {
  return metadata.name === 'machine-config' && isTrue(status?.conditions, 'Progressing')
}
