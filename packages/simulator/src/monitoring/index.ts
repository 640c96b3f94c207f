/**
 * The monitoring of a cluster, as far as upgrades use it: a Prometheus that is asked which alerts fire, and an Alertmanager that keeps silences.
 *
 *   await place(client, monitoringHome())
 *   const transport = monitoringTransport({ client, clock, random })
 *   kubectl annotate namespace openshift-monitoring 'simulator.windlass.dev/alerts=EtcdMembersDown; SlowDisk severity=warning'
 *   kubectl annotate namespace openshift-monitoring simulator.windlass.dev/alerts-
 *
 * Nothing is measured: an alert fires where a namespace says so. Silences are in a ConfigMap, so that they outlive the process.
 *
 * - `alerts.ts`: which alerts fire. `promql.ts`: the few queries that are understood. `prometheus.ts`: what Prometheus answers.
 * - `silences.ts`: the silences there are. `alertmanager.ts`: what Alertmanager answers.
 * - `transport.ts`: the way to both without a network. `home.ts`: what a cluster has of its monitoring. `wire.ts`: requests and replies.
 */
export { alertsAnnotation } from './alerts.ts'
export { monitoringHome } from './home.ts'
export { monitoringTransport, type MonitoringTransportOptions } from './transport.ts'
