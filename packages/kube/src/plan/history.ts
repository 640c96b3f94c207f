import { formatTime, type Instant } from '@windlass/core'
import type { Patch, Ref } from '../client/client.ts'
import { equalJson } from '../helpers/equal.ts'
import { keyOf } from '../helpers/refs.ts'
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

/**
 * The last passes over each object: what was decided, why, and what came of it. It answers the question why something happened, or did not.
 *
 * Kept small: an action is remembered by what it was about, not by the object it carried. Passes in a row that did nothing and wait for the same are one.
 */
export class History {
  readonly #passes: number
  readonly #objects: Recent<readonly PassView[]>

  constructor({ passes = 10, objects = 5_000 }: HistoryOptions = {}) {
    this.#passes = passes
    this.#objects = new Recent(objects)
  }

  record(ref: Ref, pass: FinishedPass): void {
    const key = keyOf(ref)
    const view = viewOf(pass)
    const [last, ...older] = this.#objects.get(key) ?? []
    const passes =
      last !== undefined && isSameAgain(last, view)
        ? [again(last, view), ...older]
        : [view, ...(last === undefined ? [] : [last]), ...older]
    this.#objects.set(key, passes.slice(0, this.#passes))
  }

  /** Newest first; empty when nothing is remembered. */
  of(ref: Ref): readonly PassView[] {
    return this.#objects.get(keyOf(ref)) ?? []
  }

  /** The objects that are remembered, as `namespace/name`. */
  keys(): Iterable<string> {
    return this.#objects.keys()
  }
}

function viewOf({ reconcileID, startedAt, milliseconds, result, plan, execution, error }: FinishedPass): PassView {
  return {
    reconcileID,
    startedAt: formatTime(startedAt),
    milliseconds,
    result,
    actions:
      plan?.actions.map((action) =>
        viewOfAction(
          action,
          execution?.results.find((each) => each.action === action),
        ),
      ) ?? [],
    ...(plan?.waitingFor === undefined ? {} : { waitingFor: plan.waitingFor }),
    ...(plan?.requeueAfter === undefined ? {} : { requeueAfterMilliseconds: plan.requeueAfter }),
    ...(error === undefined ? {} : { error: `${error.name}: ${error.message}` }),
  }
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

function isSameAgain(last: PassView, next: PassView): boolean {
  return isQuiet(last) && isQuiet(next) && last.waitingFor === next.waitingFor && equalJson(last.actions, next.actions)
}

/** Nothing was sent, and nothing went wrong. */
function isQuiet({ actions, error }: PassView): boolean {
  return error === undefined && actions.every(({ outcome }) => outcome === 'skipped' || outcome === 'refused')
}

function again(last: PassView, { startedAt, ...next }: PassView): PassView {
  return { ...next, startedAt: last.startedAt, lastStartedAt: startedAt, times: (last.times ?? 1) + 1 }
}
