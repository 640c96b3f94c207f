import type { ClusterOperator, ClusterVersion } from '@windlass/api'
import { findCondition, type Instant, parseTime } from '@windlass/core'
import { operatorVersion } from './completion.ts'

/**
 * When an update last moved, by what its operators say of themselves: the newest change of any `Progressing`, as `oc` has it. For somebody who looks once;
 * controllers remember. Undefined when no operator tells.
 *
 * Operators that are on every node progress again whenever one restarts. Once only machine-config is awaited, which restarts all of them, it is its own beginning that
 * counts.
 */
export function lastProgressOf({ status }: ClusterVersion, operators: readonly ClusterOperator[]): Instant | undefined {
  const awaited = operators.filter((operator) => operatorVersion(operator) !== status?.desired.version)
  const [last, ...others] = awaited
  const isLast = last?.metadata.name === 'machine-config' && others.length === 0
  const moved = (isLast ? progressedAt(last, 'True') : undefined) ?? newest(operators.map((operator) => progressedAt(operator)))
  const startedAt = parseTime(status?.history?.[0]?.startedTime)
  return moved === undefined || startedAt === undefined ? moved : Math.max(startedAt, moved)
}

function progressedAt({ status }: ClusterOperator, wanted?: 'True'): Instant | undefined {
  const progressing = findCondition(status?.conditions, 'Progressing')
  return wanted === undefined || progressing?.status === wanted ? parseTime(progressing?.lastTransitionTime) : undefined
}

function newest(times: readonly (Instant | undefined)[]): Instant | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
