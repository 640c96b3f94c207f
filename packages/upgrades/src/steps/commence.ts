import { hasCommenced } from '../cluster/cluster-version.ts'
import { prepareUpdate } from '../cluster/update.ts'
import { act, gauge, notify } from '../effects/effect.ts'
import { setGauge } from '../metrics/series.ts'
import { lookAfter } from '../observed/look.ts'
import { failed, notDone, type Step, stepDone } from './step.ts'

/** Tells the version operator where to go. From here on there is no way back. The start is announced when it is known that it can happen. */
export const commence: Step = {
  type: 'UpgradeCommenced',
  name: 'Commence',
  decide: ({ upgradeConfig, facts }) => {
    const inTime = gauge(setGauge('upgradeoperator_upgrade_window_breached', { upgradeconfig_name: upgradeConfig.metadata.name ?? '' }, 0))
    const { desired } = upgradeConfig.spec
    const commenced = hasCommenced(desired, facts.clusterVersion)
    if ('problem' in commenced) return failed(commenced.problem, inTime)
    if ('problem' in facts.clusterVersion) return failed(facts.clusterVersion.problem, inTime)
    if (commenced.value) return stepDone(inTime)
    const preparation = prepareUpdate(desired, facts.clusterVersion.value)
    switch (preparation.is) {
      case 'channel':
        return lookAfter([inTime, act(preparation.action)], 'clusterVersion')
      case 'ready':
        return stepDone(inTime, notify('StateControlPlaneStartedSL'), act(preparation.action))
      case 'not available':
        return notDone(`waiting for ${preparation.why}`, inTime)
      case 'impossible':
        return failed(preparation.problem, inTime)
      default:
        return preparation satisfies never
    }
  },
}
