import type { ClusterVersionProgressInsight } from '@windlass/api'
import { formatTime, type Instant, setCondition } from '@windlass/core'
import type { StatusOf } from '@windlass/kube'
import { shortened } from './text.ts'

export type InsightCondition = NonNullable<StatusOf<ClusterVersionProgressInsight>['conditions']>[number]

/** What is judged of one aspect. */
export interface Judgement {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
  /** Since when, if that is known better than by the moment at which we noticed. */
  readonly since?: Instant
}

const longestMessage = 32_768

/**
 * The conditions of an insight: exactly these, in this order. An insight is ours alone, so that what else is found there is a remainder of
 * another version. Transition times move only with the status. The same list when nothing has changed.
 */
export function conditionsAfter(
  stored: readonly InsightCondition[] | undefined,
  judgements: readonly Judgement[],
  now: Instant,
): readonly InsightCondition[] {
  const conditions = judgements.flatMap(({ since, ...judgement }) => {
    const before = stored?.filter(({ type }) => type === judgement.type)
    const message = shortened(judgement.message, longestMessage)
    const after = setCondition<InsightCondition>(before, { ...judgement, message }, now)
    return since === undefined ? after : after.map((condition) => begunAt(condition, since))
  })
  const isSame = stored?.length === conditions.length && stored.every((condition, index) => condition === conditions[index])
  return isSame ? stored : conditions
}

/** The same condition, so since then. */
export function begunAt(condition: InsightCondition, since: Instant): InsightCondition {
  const lastTransitionTime = formatTime(since)
  return condition.lastTransitionTime === lastTransitionTime ? condition : { ...condition, lastTransitionTime }
}

const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/

/** A reason from elsewhere, if the API would take it here. */
export function reasonOr(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && reason.length <= 1024 && reasonPattern.test(reason) ? reason : otherwise
}
