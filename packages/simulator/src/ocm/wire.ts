import type { OcmCluster, OcmMemory, OcmPolicy, StoredLog } from './memory.ts'

/** A request, as far as OCM cares. */
export interface OcmRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface OcmReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function reply(status: number, value: unknown): OcmReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}

/** An error as OCM words it. */
export function refusal(status: number, reason: string, service = 'CLUSTERS-MGMT'): OcmReply {
  return reply(status, { kind: 'Error', id: String(status), code: `${service}-${status}`, reason })
}

/** One page of a list, in its envelope. Pages are counted from 1. */
export function pageOf(kind: string, items: readonly unknown[], query: URLSearchParams): OcmReply {
  const page = Math.max(1, Number(query.get('page') ?? 1))
  const size = Math.min(100, Math.max(1, Number(query.get('size') ?? 100)))
  const shown = items.slice((page - 1) * size, page * size)
  return reply(200, { kind, page, size: shown.length, total: items.length, items: shown })
}

const clusters = '/api/clusters_mgmt/v1/clusters'

export function clusterBody({ id, externalId, version, channelGroup, gracePeriod }: OcmCluster): object {
  return {
    kind: 'Cluster',
    id,
    href: `${clusters}/${id}`,
    external_id: externalId,
    version: { kind: 'Version', id: `openshift-v${version}`, ...(channelGroup === undefined ? {} : { channel_group: channelGroup }) },
    ...(gracePeriod === undefined ? {} : { node_drain_grace_period: gracePeriod }),
  }
}

export function policyBody({ id, clusterId, version, nextRun, scheduleType = 'manual', capacityReservation }: OcmPolicy): object {
  return {
    kind: 'UpgradePolicy',
    id,
    href: `${clusters}/${clusterId}/upgrade_policies/${id}`,
    schedule_type: scheduleType,
    upgrade_type: 'OSD',
    version,
    next_run: nextRun,
    cluster_id: clusterId,
    ...(capacityReservation === undefined ? {} : { capacity_reservation: capacityReservation }),
  }
}

export function stateBody(memory: OcmMemory, { id, clusterId }: OcmPolicy): object {
  return { kind: 'UpgradePolicyState', href: `${clusters}/${clusterId}/upgrade_policies/${id}/state`, ...memory.stateOf(id) }
}

export function logBody({ id, timestamp, entry }: StoredLog): object {
  return { ...entry, kind: 'ClusterLog', id, href: `/api/service_logs/v1/cluster_logs/${id}`, timestamp, created_at: timestamp }
}
