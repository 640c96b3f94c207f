import { inspect } from 'node:util'
import { TerminalError } from './definition.ts'
import type { Pass } from './pass.ts'

/** What it means that a pass has failed. */
export type Verdict =
  /** The process stops or has lost leadership; nobody's fault. */
  | 'stopped'
  | 'timeout'
  /** Trying again cannot help. */
  | 'terminal'
  /** The object was not the one that was observed any more. */
  | 'conflict'
  /** A mistake in the code, as far as one can tell. */
  | 'panic'
  | 'error'

/** What JavaScript itself throws, when code does what it should not. */
const mistakes = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError]

export function judge(error: unknown, pass: Pick<Pass, 'cutShortBy'>, isConflict: boolean): Verdict {
  if (pass.cutShortBy !== undefined) return pass.cutShortBy === 'stop' ? 'stopped' : 'timeout'
  if (error instanceof TerminalError) return 'terminal'
  if (isConflict) return 'conflict'
  return isMistake(error) ? 'panic' : 'error'
}

/** `fetch` reports a connection that failed as a TypeError too, but names the cause. */
function isMistake(error: unknown): boolean {
  if (!(error instanceof Error)) return true
  return error.cause === undefined && mistakes.some((mistake) => error instanceof mistake)
}

/** Anything may be thrown; what is no Error has neither a message nor a stack. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(`something that is no Error was thrown: ${inspect(thrown, { depth: 1 })}`)
}
