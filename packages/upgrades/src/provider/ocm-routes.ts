/** Where things are, on OCM or on its agent in the cluster. */
export interface OcmRoutes {
  readonly cluster: (clusterId: string) => string
  /** Pages are counted from 1. */
  readonly policies: (ocmId: string, page: number) => string
  readonly policyState: (ocmId: string, policyId: string) => string
  readonly serviceLogs: () => string
}

export const pageSize = 100

const clusters = '/api/clusters_mgmt/v1/clusters'

/** OCM knows a cluster by an id of its own, which has to be looked up by the one that the cluster knows itself by. */
export const ocmRoutes: OcmRoutes = {
  cluster: (clusterId) => `${clusters}?search=${encodeURIComponent(`external_id = '${clusterId}'`)}&size=1`,
  policies: (ocmId, page) => `${clusters}/${encodeURIComponent(ocmId)}/upgrade_policies?page=${page}&size=${pageSize}`,
  policyState: (ocmId, policyId) => `${clusters}/${encodeURIComponent(ocmId)}/upgrade_policies/${encodeURIComponent(policyId)}/state`,
  serviceLogs: () => '/api/service_logs/v1/cluster_logs',
}

/** The agent serves one cluster, and has no route for service logs. */
export const agentRoutes: OcmRoutes = {
  cluster: () => '/',
  policies: () => '/upgrade_policies',
  policyState: (_, policyId) => `/upgrade_policies/${encodeURIComponent(policyId)}/state`,
  serviceLogs: ocmRoutes.serviceLogs,
}

const agentHost = 'ocm-agent.openshift-ocm-agent-operator.svc.cluster.local:8081'

export function isAgent(baseUrl: string): boolean {
  return baseUrl.includes(agentHost)
}

/** The routes to try, in order: the next ones when the first answer with 404. Agents differ in what they serve. */
export function routesFor(baseUrl: string): readonly OcmRoutes[] {
  return isAgent(baseUrl) ? [agentRoutes, ocmRoutes] : [ocmRoutes]
}

/** An agent without a route for service logs cannot be told, now or later: it counts as told. */
export function isServiceLogAccepted(baseUrl: string, status: number): boolean {
  return status < 400 || (status === 404 && isAgent(baseUrl))
}
