import type { UpgradeConfig } from '@windlass/api'
import { type Instant, parseTime, shortDuration } from '@windlass/core'
import { conditionOf, entryOf, newestFalse, sentStates, upgraderFor } from '@windlass/upgrades'
import { tableLines } from '../table.ts'

/** An upgrade as a timeline of its steps. */
export interface UpgradeTimeline {
  readonly upgradeConfig: string
  readonly from?: string
  readonly to: string
  readonly type: string
  readonly upgradeAt: string
  /** `New` until the operator has looked at it. */
  readonly phase: string
  readonly startTime?: string
  readonly completeTime?: string
  readonly workerStartTime?: string
  readonly workerCompleteTime?: string
  readonly steps: readonly StepView[]
  /** What the step that is not done waits for, or what is wrong with it. */
  readonly waitsFor?: string
  /** Notifications that have been sent. */
  readonly told: readonly string[]
}

export interface StepView {
  readonly step: string
  readonly condition: string
  readonly state: 'done' | 'running' | 'failed' | 'to come'
  readonly startTime?: string
  readonly completeTime?: string
  readonly message?: string
}

export function timelineOf(upgradeConfig: UpgradeConfig): UpgradeTimeline {
  const { metadata, spec } = upgradeConfig
  const entry = entryOf(upgradeConfig)
  const open = entry === undefined ? undefined : newestFalse(entry)
  const isOver = entry?.phase === 'Upgraded' || entry?.phase === 'Failed'
  return {
    upgradeConfig: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    ...(entry?.precedingVersion === undefined ? {} : { from: entry.precedingVersion }),
    to: spec.desired.version ?? spec.desired.image ?? '',
    type: spec.type,
    upgradeAt: spec.upgradeAt,
    phase: entry?.phase ?? 'New',
    ...timesOf(entry),
    steps: upgraderFor(spec.type).steps.map(({ name, type }): StepView => {
      const condition = entry === undefined ? undefined : conditionOf(entry, type)
      if (condition === undefined) return { step: name, condition: type, state: 'to come' }
      const { status, startTime, completeTime, message } = condition
      const state = status === 'True' ? 'done' : entry?.phase === 'Failed' ? 'failed' : 'running'
      return {
        step: name,
        condition: type,
        state,
        ...(startTime === undefined ? {} : { startTime }),
        ...(completeTime === undefined ? {} : { completeTime }),
        ...(state === 'done' || message === undefined ? {} : { message }),
      }
    }),
    ...(open?.message === undefined || isOver ? {} : { waitsFor: open.message }),
    told: sentStates(upgradeConfig),
  }
}

type Times = Pick<UpgradeTimeline, 'startTime' | 'completeTime' | 'workerStartTime' | 'workerCompleteTime'>

function timesOf(entry: Times | undefined): Times {
  const { startTime, completeTime, workerStartTime, workerCompleteTime } = entry ?? {}
  return {
    ...(startTime === undefined ? {} : { startTime }),
    ...(completeTime === undefined ? {} : { completeTime }),
    ...(workerStartTime === undefined ? {} : { workerStartTime }),
    ...(workerCompleteTime === undefined ? {} : { workerCompleteTime }),
  }
}

export function timelineLines(timeline: UpgradeTimeline, now: Instant): readonly string[] {
  const { upgradeConfig, from = '?', to, type, upgradeAt, phase, startTime, completeTime, steps, waitsFor, told } = timeline
  const took = lengthOf(startTime, completeTime, now)
  return [
    `${upgradeConfig}: from ${from} to ${to}, ${type}, at ${upgradeAt}`,
    `Phase: ${phase}${took === '' ? '' : phase === 'Upgrading' ? `, for ${took} now` : `, after ${took}`}`,
    ...(waitsFor === undefined ? [] : [`Now:   ${waitsFor}`]),
    ...(told.length === 0 ? [] : [`Told:  ${told.join(', ')}`]),
    '',
    ...tableLines(
      ['', 'STEP', 'STATE', 'STARTED', 'TOOK', 'MESSAGE'],
      steps.map(({ step, state, startTime: began, completeTime: ended, message = '' }, index) => [
        String(index + 1),
        step,
        state,
        began ?? '-',
        lengthOf(began, ended, now) || '-',
        message,
      ]),
    ),
  ]
}

function lengthOf(start: string | undefined, end: string | undefined, now: Instant): string {
  const from = parseTime(start)
  return from === undefined ? '' : shortDuration(Math.max(0, (parseTime(end) ?? now) - from))
}
