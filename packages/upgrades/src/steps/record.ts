import { formatTime, type Instant } from '@windlass/core'
import { conditionOf, type StepCondition, withCondition } from '../upgrade-config/conditions.ts'
import type { HistoryEntry } from '../upgrade-config/history.ts'
import type { Outcome } from './step.ts'

/** Records that a step has begun, if that is not on record. When it began never moves. */
export function withStepBegun(entry: HistoryEntry, type: StepCondition, now: Instant): HistoryEntry {
  if (conditionOf(entry, type) !== undefined) return entry
  return withCondition(
    entry,
    { type, status: 'False', reason: `${type} not done`, message: `${type} has started`, startTime: formatTime(now) },
    now,
  )
}

/**
 * Records how a step ended. A step that is done and was done before keeps its time; one that is no longer done loses it. Conditions of later steps stay as
 * they are.
 */
export function withStepEnded(entry: HistoryEntry, type: StepCondition, outcome: Outcome, now: Instant): HistoryEntry {
  const before = conditionOf(entry, type)
  const began = before?.startTime === undefined ? {} : { startTime: before.startTime }
  const open = { type, status: 'False', reason: `${type} not done`, ...began } as const
  switch (outcome.is) {
    case 'done': {
      const completeTime = before?.completeTime ?? formatTime(now)
      const words = { reason: `${type} done`, message: `${type} is completed` }
      return withCondition(entry, { type, status: 'True', ...words, ...began, completeTime }, now)
    }
    case 'not done': {
      const detail = outcome.detail === undefined ? '' : `: ${outcome.detail}`
      return withCondition(entry, { ...open, message: `${type} still in progress${detail}` }, now)
    }
    case 'failed':
      return withCondition(entry, { ...open, message: outcome.message }, now)
    default:
      return outcome satisfies never
  }
}
