import { parseTime } from '@windlass/core'
import { hasCompleted, newestRun } from '../cluster/cluster-version.ts'
import { gauge, notify } from '../effects/effect.ts'
import { setGauge } from '../metrics/series.ts'
import { failed, notDone, type Step, stepDone, versionLabels } from './step.ts'

/** Waits for the control plane, however long it takes. That it takes too long is an alert and nothing more: there is no way back. */
export const controlPlaneUpgraded: Step = {
  type: 'ControlPlaneUpgraded',
  name: 'Wait for control plane',
  decide: (pass) => {
    const { upgradeConfig, entry, config, facts, now } = pass
    if ('problem' in facts.clusterVersion) return failed(facts.clusterVersion.problem)
    const clusterVersion = facts.clusterVersion.value
    const labels = versionLabels(pass)
    const isLate = (value: 0 | 1) => gauge(setGauge('upgradeoperator_controlplane_timeout', labels, value))
    if (hasCompleted(clusterVersion, labels.version, entry.startTime)) return stepDone(notify('StateControlPlaneFinishedSL'), isLate(0))
    const start = parseTime(newestRun(clusterVersion, labels.version, entry.startTime)?.startedTime ?? upgradeConfig.spec.upgradeAt)
    if (start === undefined) return failed(`spec.upgradeAt is ${JSON.stringify(upgradeConfig.spec.upgradeAt)}, which is no time`)
    const detail = `waiting for the control plane to reach ${labels.version}`
    return now > start + config['maintenance.controlPlaneTime'] * config.minute ? notDone(detail, isLate(1)) : notDone(detail)
  },
}
