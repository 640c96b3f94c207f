import type { UpgradeConfig } from '@windlass/api'
import { timelineOf, type TimelineStep } from '@windlass/upgrades'
import type { StepView, UpgradeView } from '../contract/index.ts'

const states: Readonly<Record<TimelineStep['state'], StepView['state']>> = {
  done: 'Done',
  running: 'Running',
  failed: 'Failed',
  'to come': 'Waiting',
}

/** A managed upgrade, by the same hand as `windlass upgrade status`. */
export function upgradeView(upgradeConfig: UpgradeConfig): UpgradeView {
  const { type, to, phase, upgradeAt, startTime, completeTime, steps } = timelineOf(upgradeConfig)
  return {
    name: upgradeConfig.metadata.name ?? '',
    namespace: upgradeConfig.metadata.namespace ?? '',
    type,
    to,
    phase,
    scheduledTime: upgradeAt,
    ...(startTime === undefined ? {} : { startedTime: startTime }),
    ...(completeTime === undefined ? {} : { completionTime: completeTime }),
    steps: steps.map(stepView),
  }
}

function stepView({ step, state, startTime, completeTime, message }: TimelineStep): StepView {
  return {
    name: step,
    state: states[state],
    ...(startTime === undefined ? {} : { startedTime: startTime }),
    ...(completeTime === undefined ? {} : { completionTime: completeTime }),
    ...(message === undefined || message === '' ? {} : { message }),
  }
}
