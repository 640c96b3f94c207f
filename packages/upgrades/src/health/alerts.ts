import type { ConfigValues } from '../config/index.ts'
import { promqlString } from '../observed/prometheus.ts'
import type { Seen } from '../observed/seen.ts'
import { type HealthCheck, healthy, unhealthy } from './check.ts'

/** Critical alerts of the platform that fire, but for those that are ignored. An alert without a namespace does not match. */
export function alertsQuery(config: ConfigValues): string {
  const ignored = [
    ...config['healthCheck.ignoredNamespaces'].map((namespace) => `,namespace!=${promqlString(namespace)}`),
    ...config['healthCheck.ignoredCriticals'].map((alert) => `,alertname!=${promqlString(alert)}`),
  ]
  return `ALERTS{alertstate="firing",severity="critical",namespace=~"^openshift.*|^kube-.*|^default$"${ignored.join('')}}`
}

const reasons = ['healthcheck_query_failed', 'critical_alerts_firing'] as const
const token = 'CriticalAlertsHealthcheckFailed'

export function checkAlerts(alerts: Seen<readonly string[]>): HealthCheck {
  if ('problem' in alerts) {
    return unhealthy(reasons, 'healthcheck_query_failed', `critical alerts could not be asked for: ${alerts.problem}`, token)
  }
  const names = [...new Set(alerts.value)]
  if (names.length === 0) return healthy(reasons)
  return unhealthy(reasons, 'critical_alerts_firing', `critical alert(s) firing: ${names.join(', ')}`, token)
}
