import { type Instant, parseTime } from '@windlass/core'
import { type Paint, plain } from '../../colours.ts'
import { stateCell } from '../../states.ts'
import { roundedDuration } from '../durations.ts'

/** How a view is put into lines. */
export interface Layout {
  readonly details: 'none' | 'all' | 'nodes' | 'health' | 'operators'
  readonly now: Instant
  /** Drawn before every percentage, where there is a terminal to look at. */
  readonly bar?: (percent: number) => string
  /** None without it. */
  readonly paint?: Paint
}

/** A state within a line. */
export function stateWords(state: string, { paint = plain }: Layout): string {
  return paint(state, stateCell(state).colour)
}

/** Labels in one column, values in the next. */
export function labelled(width: number, pairs: readonly (readonly [label: string, value: string] | undefined)[]): readonly string[] {
  return pairs.flatMap((pair) => (pair === undefined ? [] : [`${`${pair[0]}:`.padEnd(width)}${pair[1]}`.trimEnd()]))
}

/** One empty line between parts that are not empty. */
export function separated(parts: readonly (readonly string[])[]): readonly string[] {
  return parts.filter((part) => part.length > 0).flatMap((part, index) => (index === 0 ? part : ['', ...part]))
}

/** How long something has been so. */
export function sinceWords(since: string | undefined, now: Instant): string {
  const time = parseTime(since)
  return time === undefined ? '?' : roundedDuration(now - time)
}

/** `45% (...)`, with a bar before it where bars are drawn. */
export function percentWords(percent: number, { bar }: Layout): string {
  return bar === undefined ? `${percent}%` : `${bar(percent)} ${percent}%`
}
