import { gauge } from '../effects/effect.ts'
import { checkAlerts, checkOperators, gaugesOf } from '../health/index.ts'
import { clearGauge } from '../metrics/series.ts'
import { look } from '../observed/look.ts'
import { healthLabels } from './pre-upgrade-health-check.ts'
import { failed, type Step, stepDone } from './step.ts'

/** The cluster must be as well as it had to be before, whatever gates say. Alerts of our own count. */
export const postUpgradeHealthCheck: Step = {
  type: 'ClusterHealthyAfterUpgrade',
  name: 'Post-upgrade health check',
  decide: (pass) => {
    const { alerts, clusterOperators } = pass.facts
    const labels = healthLabels(pass)
    if (alerts === undefined) return look('alerts')
    const first = checkAlerts(alerts)
    if (!first.finding.isHealthy) return failed(first.finding.message, ...gaugesOf(first, labels))
    if (clusterOperators === undefined) return look('clusterOperators')
    const second = checkOperators(clusterOperators)
    const gauges = [...gaugesOf(first, labels), ...gaugesOf(second, labels)]
    if (!second.finding.isHealthy) return failed(second.finding.message, ...gauges)
    return stepDone(...gauges, gauge(clearGauge('upgradeoperator_node_drain_timeout')))
  },
}
