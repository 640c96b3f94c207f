import { formatTime, type Instant } from '@windlass/core'
import type { Patch, Ref } from '../client/client.ts'
import { equalJson } from '../objects/equal.ts'
import { keyOf } from '../objects/refs.ts'
import type { Action, Plan } from './action.ts'
import { subjectOf } from './actions.ts'
import type { ActionResult, Execution } from './executor.ts'
import { Recent } from './recent.ts'

export interface HistoryOptions {
  /** Kept of each object; 10 unless told. */
  readonly passes?: number
  /** At least so many objects are remembered, at most twice as many; 5,000 unless told. */
  readonly objects?: number
}

/** A pass that is over. */
export interface FinishedPass {
  readonly reconcileID: string
  readonly startedAt: Instant
  readonly milliseconds: number
  /** `success`, or in one word what else it came to. */
  readonly result: string
  /** Undefined when it ended before it was decided. */
  readonly plan?: Plan
  readonly execution?: Execution
  readonly error?: Error
}

/** A pass as people see it; printable as JSON. */
export interface PassView {
  readonly reconcileID: string
  readonly startedAt: string
  /** Set when it has been the same over and over: nothing to do, and the same to wait for. */
  readonly lastStartedAt?: string
  readonly times?: number
  readonly milliseconds: number
  readonly result: string
  readonly actions: readonly ActionView[]
  readonly waitingFor?: string
  readonly requeueAfterMilliseconds?: number
  readonly error?: string
}

export interface ActionView {
  readonly do: Action['do']
  readonly kind?: string
  readonly object?: string
  readonly because: string
  readonly outcome: ActionResult['outcome'] | 'not reached'
  readonly detail?: string
  readonly patch?: Patch
}

/** A pass as it is remembered: most are looks at objects that need nothing, and there are thousands of those a second. */
interface Remembered {
  reconcileID: string
  readonly startedAt: Instant
  lastStartedAt: Instant | undefined
  times: number
  milliseconds: number
  result: string
  readonly actions: readonly ActionView[]
  readonly waitingFor: string | undefined
  requeueAfter: number | undefined
  readonly error: string | undefined
}

/**
 * The last passes over each object: what was decided, why, and what came of it. It answers the question why something happened, or did not.
 *
 * Kept small: an action is remembered by what it was about, not by the object it carried. Passes in a row that did nothing and wait for the same are one.
 */
export class History {
  readonly #passes: number
  readonly #objects: Recent<Remembered[]>

  constructor({ passes = 10, objects = 5_000 }: HistoryOptions = {}) {
    this.#passes = passes
    this.#objects = new Recent(objects)
  }

  /** `key` is that of the object, `namespace/name`. */
  record(key: string, pass: FinishedPass): void {
    const actions = actionsOf(pass)
    const passes = this.#objects.get(key)
    const last = passes?.[0]
    if (last !== undefined && isSameAgain(last, pass, actions)) {
      repeat(last, pass)
      return
    }
    const remembered = remember(pass, actions)
    if (passes === undefined) this.#objects.set(key, [remembered])
    else if (passes.unshift(remembered) > this.#passes) passes.pop()
  }

  /** Newest first; empty when nothing is remembered. */
  of(ref: Ref): readonly PassView[] {
    return (this.#objects.get(keyOf(ref)) ?? []).map(viewOf)
  }

  /** The objects that are remembered, as `namespace/name`. */
  keys(): Iterable<string> {
    return this.#objects.keys()
  }
}

function remember({ reconcileID, startedAt, milliseconds, result, plan, error }: FinishedPass, actions: readonly ActionView[]): Remembered {
  return {
    reconcileID,
    startedAt,
    lastStartedAt: undefined,
    times: 1,
    milliseconds,
    result,
    actions,
    waitingFor: plan?.waitingFor,
    requeueAfter: plan?.requeueAfter,
    error: error === undefined ? undefined : `${error.name}: ${error.message}`,
  }
}

function repeat(last: Remembered, { reconcileID, startedAt, milliseconds, result, plan }: FinishedPass): void {
  last.reconcileID = reconcileID
  last.lastStartedAt = startedAt
  last.times++
  last.milliseconds = milliseconds
  last.result = result
  last.requeueAfter = plan?.requeueAfter
}

function isSameAgain(last: Remembered, { plan, error }: FinishedPass, actions: readonly ActionView[]): boolean {
  if (last.error !== undefined || error !== undefined || last.waitingFor !== plan?.waitingFor) return false
  return isQuiet(last.actions) && isQuiet(actions) && equalJson(last.actions, actions)
}

/** Nothing was sent. */
function isQuiet(actions: readonly ActionView[]): boolean {
  return actions.every(({ outcome }) => outcome === 'skipped' || outcome === 'refused')
}

function viewOf({ reconcileID, startedAt, lastStartedAt, times, milliseconds, result, actions, ...rest }: Remembered): PassView {
  const { waitingFor, requeueAfter, error } = rest
  return {
    reconcileID,
    startedAt: formatTime(startedAt),
    ...(lastStartedAt === undefined ? {} : { lastStartedAt: formatTime(lastStartedAt), times }),
    milliseconds,
    result,
    actions,
    ...(waitingFor === undefined ? {} : { waitingFor }),
    ...(requeueAfter === undefined ? {} : { requeueAfterMilliseconds: requeueAfter }),
    ...(error === undefined ? {} : { error }),
  }
}

const noActions: readonly ActionView[] = []

function actionsOf({ plan, execution }: FinishedPass): readonly ActionView[] {
  if (plan === undefined || plan.actions.length === 0) return noActions
  return plan.actions.map((action) =>
    viewOfAction(
      action,
      execution?.results.find((each) => each.action === action),
    ),
  )
}

function viewOfAction(action: Action, result: ActionResult | undefined): ActionView {
  const subject = subjectOf(action)
  return {
    do: action.do,
    ...(subject === undefined ? {} : { kind: subject.kind.kind, object: keyOf(subject.ref) }),
    because: action.reason,
    outcome: result?.outcome ?? 'not reached',
    ...(result?.detail === undefined ? {} : { detail: result.detail }),
    ...(result?.patch === undefined ? {} : { patch: result.patch }),
  }
}
