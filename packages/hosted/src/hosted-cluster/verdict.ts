import type { ConditionStatus } from '@windlass/core'

/** What a condition says, without its type and the time. */
export interface Verdict {
  readonly status: ConditionStatus
  /** One word for programs; never empty. */
  readonly reason: string
  readonly message: string
}

/** It is as it should be. */
export function asExpected(message: string): Verdict {
  return { status: 'True', reason: 'AsExpected', message }
}

export function isNot(reason: string, message: string): Verdict {
  return { status: 'False', reason, message }
}

export function unknown(message: string, reason = 'StatusUnknown'): Verdict {
  return { status: 'Unknown', reason, message }
}
