import type { Instant } from '@windlass/core'
import { hasCommenced } from '../cluster/cluster-version.ts'
import { atBestEffort, gauge, notify } from '../effects/effect.ts'
import { failureGauges } from '../metrics/gauges.ts'
import { dropGauges, setGauge } from '../metrics/series.ts'
import { look, missing } from '../observed/look.ts'
import { removeExtras } from '../scaling/index.ts'
import { withCondition } from '../upgrade-config/conditions.ts'
import { type HistoryEntry, startOf } from '../upgrade-config/history.ts'
import { endAllWindows } from '../windows/index.ts'
import { failed, type Pass, stepDone, type Verdict } from './step.ts'

/** Whether an upgrade has not commenced in its window. Once it has, nothing fails it; and not to know is no reason to. */
export function isWindowMissed({ upgradeConfig, entry, config, facts, now }: Pass): boolean {
  const commenced = hasCommenced(upgradeConfig.spec.desired, facts.clusterVersion)
  if ('problem' in commenced || commenced.value) return false
  const timeOut = config['upgradeWindow.timeOut'] * config.minute
  return timeOut > 0 && now > startOf(entry, now) + timeOut
}

/**
 * Takes back what was done, and tells. Silences are ended as well as it goes, for each ends by itself; extra machines would cost money for ever, so as long
 * as they cannot be removed the upgrade has not failed yet.
 */
export function decideFailure({ upgradeConfig, facts }: Pass): Verdict {
  const { silences, machineSets } = facts
  if (silences === undefined || machineSets === undefined) return look(...missing(facts, ['silences', 'machineSets']))
  const ends = 'value' in silences ? atBestEffort(endAllWindows(silences.value)) : []
  if ('problem' in machineSets) return failed(machineSets.problem, ...ends)
  return stepDone(
    ...ends,
    ...removeExtras(machineSets.value),
    notify('StateFailed'),
    gauge(setGauge('upgradeoperator_upgrade_window_breached', { upgradeconfig_name: upgradeConfig.metadata.name ?? '' }, 1)),
    gauge(dropGauges(failureGauges)),
  )
}

/** Records the failure, or, when something of it did not work, why it is still to come. */
export function withFailure(entry: HistoryEntry, problem: string | undefined, now: Instant): HistoryEntry {
  const reason = 'Upgrade failed'
  if (problem !== undefined) return withCondition(entry, { type: 'FailedUpgrade', status: 'False', reason, message: problem }, now)
  const message = 'FailedUpgrade notification sent'
  return { ...withCondition(entry, { type: 'FailedUpgrade', status: 'True', reason, message }, now), phase: 'Failed' }
}
