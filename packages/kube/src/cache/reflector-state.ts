import { afterFailure, type Backoff, noFailures } from './backoff.ts'
import type { Failure } from './failure.ts'

/**
 * What a reflector does next. `from` is a resourceVersion: of a list or a stream the oldest state that will do (any for `0`, the newest
 * for none), of a watch the state whose changes it brings.
 *
 * - `stream`: a watch that begins with the present state.
 * - `list`: the present state, page by page.
 * - `watch`: what changes from there on.
 * - `check`: whether the server still knows the state that we have. A server that was restored from a backup has gone back in time; it
 *   accepts a watch from what is the future to it, and says nothing until that has come.
 */
export interface Step {
  readonly do: 'stream' | 'list' | 'watch' | 'check'
  readonly from: string
}

/** How a step ended. `ended`: by the server, in good order. `stalled`: nothing came for too long. */
export type Result = 'done' | 'ended' | 'stalled' | Failure

export interface Outcome {
  readonly result: Result
  /** The newest state that is known completely; empty while there is none. */
  readonly resourceVersion: string
  /** In milliseconds. */
  readonly lasted: number
  /** Whether it brought anything. */
  readonly hasNews: boolean
  /** How long the server asked to be left alone. */
  readonly retryAfter: number
}

export interface ReflectorState {
  readonly step: Step
  /** How long to wait before it. */
  readonly delay: number
  /** False once the server has shown that it does not know how to stream. */
  readonly isStreaming: boolean
  readonly backoff: Backoff
}

export const firstState: ReflectorState = { step: { do: 'stream', from: '' }, delay: 0, isStreaming: true, backoff: noFailures }

/** A watch that ends sooner and brings nothing has failed, whatever it says. */
const shortestWatch = 1000

interface Move {
  readonly step: Step
  /** At once, or after backing off? */
  readonly waits: boolean
  readonly stopsStreaming?: boolean
}

type Rule = (known: string, state: ReflectorState, outcome: Outcome) => Move

const atOnce = (step: Step): Move => ({ step, waits: false })
const later = (step: Step): Move => ({ step, waits: true })
/** What has just worked for a while is tried again at once, anything else later: two things that fail in turn must not become a busy loop. */
const unlessQuick = (step: Step, { lasted }: Outcome): Move => ({ step, waits: lasted < shortestWatch })

const watch: Rule = (known) => atOnce({ do: 'watch', from: known })
const watchAgain: Rule = (known, _, outcome) =>
  outcome.hasNews ? atOnce({ do: 'watch', from: known }) : unlessQuick({ do: 'watch', from: known }, outcome)
const watchLater: Rule = (known) => later({ do: 'watch', from: known })
const check: Rule = (known, _, outcome) => unlessQuick({ do: 'check', from: known }, outcome)
const checkLater: Rule = (known) => later({ do: 'check', from: known })
const fill: Rule = (known, { isStreaming }, outcome) =>
  unlessQuick(isStreaming ? { do: 'stream', from: known } : { do: 'list', from: known }, outcome)
const list = (known: string): Step => ({ do: 'list', from: known === '' ? '0' : known })
const listInstead: Rule = (known) => atOnce(list(known))
const listForGood: Rule = (known) => ({ ...atOnce(list(known)), stopsStreaming: true })
const listLater: Rule = (known) => later(list(known))
const listNewest: Rule = (_, __, outcome) => unlessQuick({ do: 'list', from: '' }, outcome)
/** A list of the newest state that is refused for the state it is of: asking for the same at once would not help. */
const listNewestInstead: Rule = (_, { step }) => ({ step: { do: 'list', from: '' }, waits: step.from === '' })
const sameLater: Rule = (_, { step }) => later(step)

/** What follows from how each step ended. */
const rules: Readonly<Record<Step['do'], Readonly<Record<Result, Rule>>>> = {
  stream: {
    done: listInstead,
    ended: listInstead,
    stalled: listForGood,
    expired: listInstead,
    tooLarge: listNewestInstead,
    unreachable: listLater,
    refused: listLater,
    unsupported: listForGood,
  },
  list: {
    done: watch,
    ended: sameLater,
    stalled: sameLater,
    expired: listNewestInstead,
    tooLarge: listNewestInstead,
    unreachable: sameLater,
    refused: sameLater,
    unsupported: sameLater,
  },
  watch: {
    done: watchAgain,
    ended: watchAgain,
    stalled: check,
    expired: fill,
    tooLarge: listNewest,
    unreachable: check,
    refused: watchLater,
    unsupported: watchLater,
  },
  check: {
    done: watch,
    ended: watch,
    stalled: checkLater,
    expired: fill,
    tooLarge: listNewest,
    unreachable: checkLater,
    refused: checkLater,
    unsupported: watchLater,
  },
}

/** The present state has come: from here on the stream is a watch. */
export function streamed(state: ReflectorState, resourceVersion: string): ReflectorState {
  return { ...state, step: { do: 'watch', from: resourceVersion } }
}

/** What to do after a step. `now` is the monotonic clock's, `chance` between 0 and 1. */
export function next(state: ReflectorState, outcome: Outcome, now: number, chance: number): ReflectorState {
  const move = rules[state.step.do][outcome.result](outcome.resourceVersion, state, outcome)
  const isStreaming = state.isStreaming && move.stopsStreaming !== true
  if (!move.waits) return { ...state, step: move.step, delay: 0, isStreaming }
  const { backoff, delay } = afterFailure(state.backoff, now, chance)
  return { step: move.step, delay: Math.max(delay, outcome.retryAfter), isStreaming, backoff }
}
