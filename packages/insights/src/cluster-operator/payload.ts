import type { ClusterOperator } from '@windlass/api'
import type { InsightMode } from '../mode.ts'

const marks = ['include.release.openshift.io/', 'exclude.release.openshift.io/']

/** Whether the operator came with the release: only those carry marks that say on which kinds of clusters they are. */
export function isInPayload({ metadata }: ClusterOperator): boolean {
  return Object.keys(metadata.annotations ?? {}).some((name) => marks.some((mark) => name.startsWith(mark)))
}

/**
 * The operators that an update updates. Where none carries a mark, marks are not in use, and all count; so they do in `compat` mode, which does
 * not know of marks.
 */
export function updatedOperators(operators: readonly ClusterOperator[], mode: InsightMode): readonly ClusterOperator[] {
  return mode === 'extended' && operators.some(isInPayload) ? operators.filter(isInPayload) : operators
}

/** Whether an operator is one of those. */
export function isUpdated(operator: ClusterOperator, operators: readonly ClusterOperator[], mode: InsightMode): boolean {
  return mode === 'compat' || isInPayload(operator) || !operators.some(isInPayload)
}
