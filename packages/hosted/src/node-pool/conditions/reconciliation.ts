import type { Seen } from '../seen.ts'
import { holds, type Outcome } from './outcome.ts'

/** A pause stops changes, not the judgement: the pass goes on until it would write something. */
export function isReconciliationActive({ pause }: Seen): Outcome {
  const { status, reason, message } = pause.active
  if (status !== 'True') return { say: { status, reason, message } }
  return holds(message, reason === 'AsExpected' ? 'ReconciliationActive' : reason)
}
