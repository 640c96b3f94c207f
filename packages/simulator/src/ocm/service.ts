import type { OcmCluster, OcmMemory } from './memory.ts'
import { answerState, fieldsOf } from './policies.ts'
import { clusterBody, logBody, type OcmReply, type OcmRequest, pageOf, policyBody, refusal, reply } from './wire.ts'

const severities = ['Debug', 'Info', 'Warning', 'Error', 'Fatal', 'Critical', 'Major']

/** What OCM answers, as far as upgrades ask it. */
export function answerAsOcm(memory: OcmMemory, { method, path, headers, body }: OcmRequest): OcmReply {
  const who = callerOf(memory, headers['authorization'])
  if (who === undefined) return refusal(401, 'Request does not contain a valid authorization header')
  const { pathname, searchParams } = new URL(path, 'http://ocm')
  const [api, service, version, ...rest] = pathname.split('/').slice(1).map(decodeURIComponent)
  if (api !== 'api' || version !== 'v1') return notFound(path)
  if (service === 'clusters_mgmt') return answerAboutClusters(memory, who, method, rest, searchParams, body, path)
  if (service === 'service_logs') return answerAboutLogs(memory, method, rest, searchParams, body, path)
  return notFound(path)
}

function answerAboutClusters(
  memory: OcmMemory,
  who: OcmCluster,
  method: string,
  [collection, id, sub, policyId, state, ...rest]: readonly string[],
  query: URLSearchParams,
  body: string,
  path: string,
): OcmReply {
  if (collection !== 'clusters' || rest.length > 0) return notFound(path)
  if (id === undefined) return method === 'GET' ? search(memory, query) : refusal(405, `Method ${method} is not allowed`)
  const cluster = memory.cluster(id)
  if (cluster === undefined) return refusal(404, `Cluster '${id}' not found`)
  if (cluster.id !== who.id) return refusal(403, `Account is not allowed to see cluster '${id}'`)
  if (sub === undefined) return reply(200, clusterBody(cluster))
  if (sub !== 'upgrade_policies') return notFound(path)
  if (policyId === undefined) return pageOf('UpgradePolicyList', memory.policiesOf(id).map(policyBody), query)
  const policy = memory.policiesOf(id).find((each) => each.id === policyId)
  if (policy === undefined) return refusal(404, `Upgrade policy '${policyId}' not found`)
  if (state === undefined) return reply(200, policyBody(policy))
  return state === 'state' ? answerState(memory, policy, method, body) : notFound(path)
}

/** Only the one question that upgrades ask is understood. */
function search({ clusters }: OcmMemory, query: URLSearchParams): OcmReply {
  const text = query.get('search') ?? ''
  const externalId = /^\s*external_id\s*=\s*'([^']*)'\s*$/.exec(text)?.[1]
  if (text !== '' && externalId === undefined) return refusal(400, `Failed to parse search query '${text}'`)
  const found = clusters.filter((cluster) => externalId === undefined || cluster.externalId === externalId)
  return pageOf('ClusterList', found.map(clusterBody), query)
}

function answerAboutLogs(
  memory: OcmMemory,
  method: string,
  rest: readonly string[],
  query: URLSearchParams,
  body: string,
  path: string,
): OcmReply {
  if (rest.join('/') === 'clusters/cluster_logs' && method === 'GET') {
    const id = query.get('cluster_id') ?? query.get('cluster_uuid') ?? ''
    return pageOf('ClusterLogList', memory.logsOf(id).map(logBody), query)
  }
  // The second is where an old description of OCM has it. Nobody should ask there, and who counts requests will see it.
  const isPost = rest.join('/') === 'cluster_logs' || (rest[0] === 'clusters' && rest[2] === 'service_logs')
  if (!isPost || method !== 'POST') return notFound(path)
  const entry = fieldsOf(body)
  const missing = ['summary', 'service_name', 'severity'].find((field) => typeof entry?.[field] !== 'string' || entry[field] === '')
  if (entry === undefined || missing !== undefined) return refusal(400, `Attribute '${missing ?? ''}' is required`, 'SERVICE-LOGS')
  if (!severities.includes(String(entry['severity'])))
    return refusal(400, `Severity must be one of ${severities.join(', ')}`, 'SERVICE-LOGS')
  if (typeof entry['cluster_id'] !== 'string' && typeof entry['cluster_uuid'] !== 'string')
    return refusal(400, "Attribute 'cluster_id' or 'cluster_uuid' is required", 'SERVICE-LOGS')
  return reply(201, logBody(memory.post(entry)))
}

/** Clusters show their own id and the token of their pull secret. */
export function callerOf({ clusters }: OcmMemory, authorization: string | undefined): OcmCluster | undefined {
  return clusters.find(({ externalId, token }) => authorization === `AccessToken ${externalId}:${token}`)
}

function notFound(path: string): OcmReply {
  return refusal(404, `The requested resource '${path}' doesn't exist`)
}
