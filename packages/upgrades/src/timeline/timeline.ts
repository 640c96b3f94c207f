import type { UpgradeConfig } from '@windlass/api'
import { sentStates } from '../notifications/index.ts'
import { upgraderFor } from '../steps/index.ts'
import { conditionOf, entryOf, heldUpBy, newestFalse } from '../upgrade-config/index.ts'

/** An upgrade as a timeline of its steps, for whoever shows it. */
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
  readonly steps: readonly TimelineStep[]
  /** What keeps the operator from going on, or what the step that is not done waits for. */
  readonly waitsFor?: string
  /** Notifications that have been sent. */
  readonly told: readonly string[]
}

export interface TimelineStep {
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
  const waitsFor = heldUpBy(upgradeConfig) ?? open?.message
  const isOver = entry?.phase === 'Upgraded' || entry?.phase === 'Failed'
  return {
    upgradeConfig: `${metadata.namespace ?? ''}/${metadata.name ?? ''}`,
    ...(entry?.precedingVersion === undefined ? {} : { from: entry.precedingVersion }),
    to: spec.desired.version ?? spec.desired.image ?? '',
    type: spec.type,
    upgradeAt: spec.upgradeAt,
    phase: entry?.phase ?? 'New',
    ...timesOf(entry),
    steps: upgraderFor(spec.type).steps.map(({ name, type }): TimelineStep => {
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
    ...(waitsFor === undefined || isOver ? {} : { waitsFor }),
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
