import { ConfigMap, Namespace, ServiceAccount } from '@windlass/api'
import { placed, type Placed } from '../cluster/fixtures/index.ts'

export const monitoringNamespace = 'openshift-monitoring'

/** Where silences are kept. */
export const silencesRef = { namespace: monitoringNamespace, name: 'simulated-alertmanager' } as const

/** What a cluster has of its monitoring: a place for it, and the account whose tokens open it. */
export function monitoringHome(): readonly Placed[] {
  return [
    placed(Namespace, { metadata: { name: monitoringNamespace } }),
    placed(ServiceAccount, { metadata: { namespace: monitoringNamespace, name: 'prometheus-k8s' } }),
    placed(ConfigMap, { metadata: silencesRef }),
  ]
}
