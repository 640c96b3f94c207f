import type { UpgradeConfig } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { hasCommenced } from '../cluster/cluster-version.ts'
import type { OperatorConfig } from '../config/index.ts'
import type { Effect } from '../effects/effect.ts'
import type { Facts } from '../observed/facts.ts'
import type { Look } from '../observed/look.ts'
import type { StepCondition } from '../upgrade-config/conditions.ts'
import type { HistoryEntry } from '../upgrade-config/history.ts'

/** What a step can go by. */
export interface Pass {
  readonly upgradeConfig: UpgradeConfig
  /** The upgrade as it is recorded, with what earlier steps of this pass have written. */
  readonly entry: HistoryEntry
  readonly config: OperatorConfig
  readonly facts: Facts
  readonly now: Instant
}

/** How a step ended. */
export type Outcome =
  | { readonly is: 'done' }
  /** It goes on in the next pass; `detail` says what it waits for. */
  | { readonly is: 'not done'; readonly detail?: string }
  | { readonly is: 'failed'; readonly message: string }

/** What a step decided: what is to be done, and how it ended if all of that goes well; or what it needs to know first. */
export type Verdict = Look | (Outcome & { readonly effects: readonly Effect[] })

export interface Step {
  /** The condition that records it. Two steps may share one. */
  readonly type: StepCondition
  readonly name: string
  /** Pure. All steps are run again from the first in every pass, so each must find out by itself that it is done. */
  readonly decide: (pass: Pass) => Verdict
}

export function stepDone(...effects: readonly Effect[]): Verdict {
  return { is: 'done', effects }
}

export function notDone(detail: string, ...effects: readonly Effect[]): Verdict {
  return { is: 'not done', detail, effects }
}

export function failed(message: string, ...effects: readonly Effect[]): Verdict {
  return { is: 'failed', message, effects }
}

/** Most of what comes before the update is pointless once it runs. Not to know whether it runs fails the step. */
export function unlessCommenced({ upgradeConfig, facts }: Pass, decide: () => Verdict): Verdict {
  const commenced = hasCommenced(upgradeConfig.spec.desired, facts.clusterVersion)
  if ('problem' in commenced) return failed(commenced.problem)
  return commenced.value ? stepDone() : decide()
}

/** The labels of gauges that are about one version. */
export function versionLabels({ upgradeConfig }: Pass): { readonly upgradeconfig_name: string; readonly version: string } {
  return { upgradeconfig_name: upgradeConfig.metadata.name ?? '', version: upgradeConfig.spec.desired.version ?? '' }
}
