import type { UpgradePolicy } from '../notifications/ocm.ts'
import { type Seen, seen, unseen } from '../observed/seen.ts'
import type { OcmCluster } from './ocm-policies.ts'
import { pageSize } from './ocm-routes.ts'

/** What OCM said about the cluster. That it does not know it is an answer of its own: people must register the cluster, not wait. */
export type ClusterAnswer =
  | { readonly is: 'found'; readonly cluster: OcmCluster }
  | { readonly is: 'not found'; readonly problem: string }
  | { readonly is: 'unreadable'; readonly problem: string }

/** The cluster itself, or a list in which it is the only one. */
export function readCluster(body: unknown, clusterId: string): ClusterAnswer {
  if (!isRecord(body)) return { is: 'unreadable', problem: 'OCM Provider unavailable: it answered with something that is no cluster' }
  const items = body['items']
  const candidates: readonly unknown[] = Array.isArray(items) ? items : 'total' in body ? [] : [body]
  const isOnlyOne = !('total' in body) || body['total'] === 1
  const [cluster] = candidates
  if (!isOnlyOne || !isRecord(cluster) || typeof cluster['id'] !== 'string' || cluster['id'] === '') {
    return { is: 'not found', problem: `cluster id not found: OCM knows no cluster with the external id ${clusterId}` }
  }
  const { id } = cluster
  const version = recordOr(cluster['version'])
  const grace = recordOr(cluster['node_drain_grace_period'])
  return {
    is: 'found',
    cluster: {
      id,
      version: { ...texts(version, 'id', 'channel_group') },
      node_drain_grace_period: { ...texts(grace, 'unit'), ...(typeof grace['value'] === 'number' ? { value: grace['value'] } : {}) },
    },
  }
}

export interface PolicyPage {
  readonly policies: readonly UpgradePolicy[]
  readonly hasMore: boolean
}

/** One page of policies: a list in its envelope, as OCM sends it, or the bare list of the agent, which is all there is. */
export function readPolicyPage(body: unknown, page: number): Seen<PolicyPage> {
  const items = isRecord(body) ? body['items'] : body
  if (!Array.isArray(items)) return unseen('could not retrieve provider upgrade policies: the answer is no list')
  const total = isRecord(body) && typeof body['total'] === 'number' ? body['total'] : 0
  return seen({ policies: items.filter(isRecord).map(policyOf), hasMore: total > page * pageSize })
}

function policyOf(item: Readonly<Record<string, unknown>>): UpgradePolicy {
  const reserves = item['capacity_reservation']
  return {
    id: typeof item['id'] === 'string' ? item['id'] : '',
    ...texts(item, 'version', 'next_run'),
    ...(typeof reserves === 'boolean' ? { capacity_reservation: reserves } : {}),
  }
}

/** Those fields that are texts. */
function texts<N extends string>(record: Readonly<Record<string, unknown>>, ...names: readonly N[]): { readonly [K in N]?: string } {
  const found = names.flatMap((name) => (typeof record[name] === 'string' ? [[name, record[name]]] : []))
  return Object.fromEntries(found) as { readonly [K in N]?: string }
}

function recordOr(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
