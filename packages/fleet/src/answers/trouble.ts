import { type Duration, findCondition, parseTime } from '@windlass/core'
import type { RawCondition } from './conditions.ts'
import type { Moments } from './moments.ts'

/** A condition that means that something has gone wrong, and does not only take its time. */
export interface Trouble {
  readonly type: string
  readonly is: 'True' | 'False'
  /** How long it must have been so: what rolls out is away for a while. */
  readonly after: Duration
  /** During an installation it is as it must be. */
  readonly isNormalAtFirst?: true
  readonly reason?: string
  /** Whose message begins so is as somebody wants it. */
  readonly unless?: string
}

/** The first of the troubles that is there, in a sentence; undefined when none is. */
export function firstTrouble(
  troubles: readonly Trouble[],
  conditions: readonly RawCondition[] | undefined,
  isInstalling: boolean,
  moments: Moments,
): string | undefined {
  for (const { type, is, after, reason, unless, isNormalAtFirst } of troubles) {
    if (isInstalling && isNormalAtFirst === true) continue
    const condition = findCondition(conditions, type)
    if (condition?.status !== is || (reason !== undefined && condition.reason !== reason)) continue
    if (unless !== undefined && condition.message?.startsWith(unless) === true) continue
    if (hasLasted(condition, after, moments)) return `${type} is ${is}: ${wordsOf(condition)}`
  }
  return undefined
}

/** A condition that does not say since when counts from now on. */
export function hasLasted({ lastTransitionTime }: RawCondition, after: Duration, moments: Moments): boolean {
  if (after === 0) return true
  const since = parseTime(lastTransitionTime)
  return since !== undefined && moments.isAfter(since + after)
}

/** What a condition says, in its own words. */
export function wordsOf({ reason = '', message = '' }: RawCondition): string {
  if (message === '') return reason === '' ? 'it does not say why' : reason
  return message
}
