import { isUnreported } from '@windlass/hosted'
import type { ConditionView } from '../contract/index.ts'

/** A condition as any kind writes it; older ones leave out what there is nothing to say about. */
export interface RawCondition {
  readonly type?: string
  readonly status?: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string | null
}

/** What each condition of a healthy object says, by type. */
export type Expectations = Readonly<Record<string, string>>

/** Conditions as they are shown: what is not as it should be first, then by type. */
export function conditionsOf(conditions: readonly RawCondition[] | undefined, expected: Expectations): readonly ConditionView[] {
  return (conditions ?? [])
    .map((condition) => conditionOf(condition, expected))
    .toSorted((a, b) => rank(a) - rank(b) || (a.type < b.type ? -1 : 1))
}

function conditionOf(condition: RawCondition, expected: Expectations): ConditionView {
  const { type = '', status, reason, message, lastTransitionTime } = condition
  // What nobody reports is neither good nor bad.
  const should = !isUnreported(condition) && Object.hasOwn(expected, type) ? expected[type] : undefined
  return {
    type,
    status: status === 'True' || status === 'False' ? status : 'Unknown',
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(message === undefined || message === '' ? {} : { message }),
    ...(lastTransitionTime === undefined || lastTransitionTime === null ? {} : { since: lastTransitionTime }),
    ...(should === undefined ? {} : { isExpected: status === should }),
  }
}

function rank({ isExpected }: ConditionView): number {
  return isExpected === false ? 0 : 1
}
