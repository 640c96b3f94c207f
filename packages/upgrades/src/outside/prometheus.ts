import { type Labels, readVector } from '../observed/prometheus.ts'
import { type Seen, unseen } from '../observed/seen.ts'
import { complaintOf } from './exchange.ts'
import { type MonitoringOptions, MonitoringService } from './monitoring.ts'
import type { Prometheus } from './types.ts'

/** The cluster's own Prometheus. */
export function prometheusClient(options: MonitoringOptions): Prometheus {
  const service = new MonitoringService(
    { namespace: 'openshift-monitoring', name: 'prometheus-k8s', port: 'web', scheme: 'https' },
    options,
  )
  return {
    async query(promql, signal): Promise<Seen<readonly Labels[]>> {
      const outcome = await service.ask({ method: 'GET', path: `/api/v1/query?query=${encodeURIComponent(promql)}` }, signal)
      const read = readVector(outcome)
      if ('value' in read || 'problem' in outcome) return read
      return unseen(`${read.problem}${complaintOf(outcome.body, 'error')} (${remedyOf(outcome.status)})`)
    },
  }
}

function remedyOf(status: number): string {
  if (status === 400 || status === 422) return 'check the names of alerts and namespaces that are ignored'
  return 'check the Pods of prometheus-k8s in openshift-monitoring'
}
