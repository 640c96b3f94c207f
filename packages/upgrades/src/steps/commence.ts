import type { ClusterVersion } from '@windlass/api'
import { currentVersionLabel, hasCommenced, hasCompleted } from '../cluster/cluster-version.ts'
import { prepareUpdate } from '../cluster/update.ts'
import { act, type Effect, gauge, notify } from '../effects/effect.ts'
import { clearGauge, setGauge } from '../metrics/series.ts'
import { lookAfter } from '../observed/look.ts'
import { seen } from '../observed/seen.ts'
import { failed, notDone, type Pass, type Step, stepDone } from './step.ts'

/** Tells the version operator where to go. From here on there is no way back. The start is announced when it is known that it can happen. */
export const commence: Step = {
  type: 'UpgradeCommenced',
  name: 'Commence',
  decide: (pass) => {
    const { upgradeConfig, facts } = pass
    const inTime = gauge(setGauge('upgradeoperator_upgrade_window_breached', { upgradeconfig_name: upgradeConfig.metadata.name ?? '' }, 0))
    const { desired } = upgradeConfig.spec
    const commenced = hasCommenced(desired, facts.clusterVersion)
    if ('problem' in commenced) return failed(commenced.problem, inTime)
    if ('problem' in facts.clusterVersion) return failed(facts.clusterVersion.problem, inTime)
    const past = pastFindings(pass, facts.clusterVersion.value)
    if (commenced.value) return stepDone(inTime, ...past)
    const preparation = prepareUpdate(desired, facts.clusterVersion.value)
    switch (preparation.is) {
      case 'channel':
        return lookAfter([inTime, act(preparation.action)], 'clusterVersion')
      case 'ready':
        return stepDone(inTime, notify('StateControlPlaneStartedSL'), act(preparation.action), ...past)
      case 'not available':
        return notDone(`waiting for ${preparation.why}`, inTime)
      case 'impossible':
        return failed(preparation.problem, inTime)
      default:
        return preparation satisfies never
    }
  },
}

/** From here on nobody checks what was checked before the update. What has been found after it is said of the version that the cluster has by then. */
function pastFindings({ upgradeConfig, entry }: Pass, clusterVersion: ClusterVersion): readonly Effect[] {
  if (hasCompleted(clusterVersion, upgradeConfig.spec.desired.version, entry.startTime)) return []
  const version = currentVersionLabel(seen(clusterVersion))
  return [gauge(clearGauge('upgradeoperator_healthcheck_failed', { state: 'Upgrading', version }))]
}
