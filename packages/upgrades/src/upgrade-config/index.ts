/**
 * The UpgradeConfig itself: what it remembers, and what is done in each of its phases.
 *
 * - `names.ts`: names that are fixed. `events.ts`: which changes are a reason to look.
 * - `history.ts`, `conditions.ts`: what is remembered. `held-up.ts`: why a pass failed. `ownership.ts`: who writes which part of it.
 * - `schedule.ts`: when it is time. `phases.ts`: the table of phases. `gone.ts`: what is done when there is none.
 * - `recorded-gauges.ts`: what gauges say by what is remembered.
 * - `controller.ts`: looks after it. `pass.ts`: one pass over it. `orphans.ts`: the passes while there is none.
 */
export {
  conditionOf,
  type ConditionType,
  hasDone,
  newestFalse,
  type StepCondition,
  stepConditions,
  type UpgradeCondition,
  withCondition,
} from './conditions.ts'
export { isOurs, isReasonToLook } from './events.ts'
export { decideSweep, forgetUpgrade, type Sweep, type SweepView, tearDown } from './gone.ts'
export { heldUpBy } from './held-up.ts'
export { desiredVersion, entryOf, type History, type HistoryEntry, historyOf, openEntry, type Phase, withEntry } from './history.ts'
export { Annotation, defaultNamespace, operatorName, upgradeConfigName } from './names.ts'
export { reapplied, type StatusWriter } from './ownership.ts'
export { decidePhase, type PhaseDecision, type PhaseView } from './phases.ts'
export { recordedFailures, recordedSamples } from './recorded-gauges.ts'
export { type Readiness, readinessOf } from './schedule.ts'
