import type { NodePool } from '@windlass/api'
import { type ConditionStatus, type Instant, removeCondition, setCondition } from '@windlass/core'
import type { Seen } from '../seen.ts'

export type Conditions = NonNullable<NonNullable<NodePool['status']>['conditions']>

/** What a condition says. A reason or a message that is empty is left out. */
export interface Said {
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
}

/** Why a pass ends here. Quietly: a change that is watched for will start the next one. */
export type Stop =
  | { readonly is: 'quiet'; readonly waitingFor: string }
  | { readonly is: 'later'; readonly milliseconds: number; readonly waitingFor: string }
  | { readonly is: 'error'; readonly error: string }

/** What one rule comes to: what becomes of its condition, and whether the pass goes on. */
export interface Outcome {
  readonly say: Said | 'keep' | 'remove'
  readonly stop?: Stop
}

export type Rule = (seen: Seen) => Outcome
export type Row = readonly [type: string, rule: Rule]

export const asExpectedReason = 'AsExpected'
export const validationFailed = 'ValidationFailed'

export function holds(message = '', reason: string = asExpectedReason): Outcome {
  return { say: { status: 'True', reason, message } }
}

export function fails(reason: string, message = '', stop?: Stop): Outcome {
  return { say: { status: 'False', reason, message }, ...(stop === undefined ? {} : { stop }) }
}

export function unknown(reason: string, message: string, stop?: Stop): Outcome {
  return { say: { status: 'Unknown', reason, message }, ...(stop === undefined ? {} : { stop }) }
}

export const kept: Outcome = { say: 'keep' }
export const removed: Outcome = { say: 'remove' }

export function withError(error: string): Stop {
  return { is: 'error', error }
}

export function quietly(waitingFor: string): Stop {
  return { is: 'quiet', waitingFor }
}

export function after(milliseconds: number, waitingFor: string): Stop {
  return { is: 'later', milliseconds, waitingFor }
}

/** The conditions with one of them changed; the same list when nothing differs. */
export function withOutcome(conditions: Conditions, type: string, say: Outcome['say'], { pool, now }: WrittenBy): Conditions {
  if (say === 'keep') return conditions
  if (say === 'remove') return removeCondition(conditions, type)
  const { generation: observedGeneration } = pool.metadata
  const { status, reason, message } = say
  return setCondition(
    conditions,
    {
      type,
      status,
      ...(reason === '' ? {} : { reason }),
      ...(message === '' ? {} : { message }),
      ...(observedGeneration === undefined ? {} : { observedGeneration }),
    },
    now,
  )
}

interface WrittenBy {
  readonly pool: NodePool
  readonly now: Instant
}
