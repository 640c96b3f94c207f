import { formatDuration } from '@windlass/core'
import type { FaultCounts } from './faults/dice.ts'
import type { FaultKind } from './faults/faults.ts'
import type { Violation } from './invariant.ts'
import type { Write } from './record/write.ts'

/** What is known about a run when it fails. */
export interface FailedRun {
  readonly seed: number | string
  /** Virtual milliseconds since the start. */
  readonly elapsed: number
  readonly writes: readonly Write[]
  readonly faults: Readonly<FaultCounts>
  /** One line each: what they do, and why earlier lives ended. */
  readonly processes: readonly string[]
  /** The last warnings and errors. */
  readonly messages: readonly string[]
  /** The line that runs it again. */
  readonly again: string
}

export interface Failure {
  readonly sort: string
  readonly headline: string
  readonly details?: readonly string[]
  readonly cause?: unknown
}

/**
 * Thrown when a run fails: an invariant does not hold, something did not come true in time, or the world's script threw (that error is the
 * `cause`). The message says all that is needed to see why, and how to run it again.
 */
export class SimulationError extends Error {
  readonly seed: number | string
  /** Equal for failures of the same sort, whatever the numbers in their messages. */
  readonly sort: string
  readonly faults: Readonly<FaultCounts>

  constructor({ sort, headline, details = [], cause }: Failure, run: FailedRun) {
    const lines = details.flatMap((detail) => detail.split('\n')).map((line) => `  ${line}`)
    super([`seed ${run.seed}: ${headline}`, ...lines, ...circumstances(run)].join('\n'), cause === undefined ? {} : { cause })
    this.name = 'SimulationError'
    this.seed = run.seed
    this.sort = sort
    this.faults = run.faults
  }
}

export function violated({ invariant, write, problem }: Violation): Failure {
  const details = [problem, `write: ${write.toString()}`]
  if (write.actor.request !== '') details.push(`request: ${write.actor.request}`)
  if (write.actor.cause !== undefined) details.push(`because of: ${write.actor.cause.describe()}`)
  return { sort: `invariant ${invariant.name}`, headline: `it does not hold that ${invariant.name}`, details }
}

/** The script of the world threw. */
export function scriptFailed(error: unknown): Failure {
  const [headline = '', ...details] = (error instanceof Error ? error.message : String(error)).split('\n')
  const sort = error instanceof Error ? error.name : 'script'
  return { sort, headline, details, cause: error }
}

function circumstances({ elapsed, writes, faults, processes, messages, again }: FailedRun): readonly string[] {
  const struck = Object.entries(faults).filter(([kind, count]) => count > 0 && kind !== 'latency')
  return [
    `  at: +${formatDuration(elapsed)}, after ${writes.length} writes`,
    `  faults: ${struck.length === 0 ? 'none' : struck.map(([kind, count]) => `${count} ${kind}`).join(', ')}`,
    ...section('processes', processes),
    ...section('last messages', messages),
    ...section(
      'last writes',
      writes.slice(-10).map((write) => write.toString()),
    ),
    `  again: ${again}`,
  ]
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${line}`)]
}

/** What a failure turned out to need, added to its message. */
export function withNeeds(error: SimulationError, needed: readonly FaultKind[]): SimulationError {
  const needs = needed.length === 0 ? 'it fails without any fault' : `it fails with these faults alone: ${needed.join(', ')}`
  error.message += `\n  ${needs}`
  return error
}
