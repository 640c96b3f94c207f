import type { ReconcileResult } from '../metrics/metrics.ts'
import type { Pass } from './pass.ts'
import type { Reconciled } from './reconciler.ts'
import { judge, type Verdict } from './verdict.ts'

/** What follows from a pass. */
export interface Conclusion {
  /** For people: what it came to. */
  readonly word: Verdict | ReconcileResult
  /** As metrics count it. */
  readonly result: ReconcileResult
  /** `nothing`: until something changes. `retry`: later each time in a row. A number: after so many milliseconds. */
  readonly again: 'nothing' | 'retry' | number
  /** How loudly to speak of it. */
  readonly level?: 'debug' | 'error'
}

/** One that was stopped is begun anew by whoever leads next. */
const failures: Readonly<Record<Verdict, Omit<Conclusion, 'word'>>> = {
  stopped: { result: 'requeue', again: 'nothing', level: 'debug' },
  timeout: { result: 'error', again: 'retry', level: 'error' },
  terminal: { result: 'error', again: 'nothing', level: 'error' },
  conflict: { result: 'requeue', again: 'retry', level: 'debug' },
  panic: { result: 'error', again: 'retry', level: 'error' },
  error: { result: 'error', again: 'retry', level: 'error' },
}

/** A delay that the plan asks for counts only when everything went well. */
export function conclude({ plan, failure }: Reconciled, pass: Pick<Pass, 'cutShortBy'>): Conclusion {
  if (failure !== undefined) {
    const verdict = judge(failure.error, pass, failure.isConflict)
    if (verdict === 'conflict' && plan?.afterConflict !== undefined)
      return { word: verdict, ...failures.conflict, again: Math.max(1, plan.afterConflict) }
    return { word: verdict, ...failures[verdict] }
  }
  // At least a millisecond: a decision that is always due now must not keep everything else from running.
  if (plan?.requeueAfter !== undefined) return succeeded('requeue_after', Math.max(1, plan.requeueAfter))
  return plan?.requeue === true ? succeeded('requeue', 'retry') : succeeded('success', 'nothing')
}

function succeeded(result: ReconcileResult, again: Conclusion['again']): Conclusion {
  return { word: result, result, again }
}
