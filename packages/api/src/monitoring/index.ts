/** `monitoring.coreos.com`: how Prometheus learns about us. Our CRDs are for the embedded server; a real cluster brings its own. */
export { PrometheusRule } from './prometheus-rule.ts'
export { ServiceMonitor } from './service-monitor.ts'
