import type { ClusterRow, ClusterView, ConditionView, EventView, InsightView, PoolView, UpdateView } from '@windlass/fleet/contract'
import { componentNames, componentsAt } from './components.ts'
import { days, minutesAgo } from './time.ts'
import { upgradeOf } from './upgrades.ts'

/** A cluster in full, as its row has it. */
export function clusterOf(row: ClusterRow, time: string): ClusterView {
  const { version = '4.19.12', desired = version } = row.controlPlane
  const isMoving = version !== desired
  const done = new Set(isMoving ? componentNames.slice(0, row.progress?.done ?? 0) : componentNames)
  const isStalled = row.attention === 'Stalled' && isMoving
  if (isStalled)
    for (const name of componentNames) if (name !== 'etcd' && name !== 'cluster-api' && name !== 'control-plane-operator') done.delete(name)
  const rolling = isMoving ? (isStalled ? 'kube-apiserver' : componentNames.find((name) => !done.has(name))) : undefined
  return {
    time,
    row,
    clusterId: 'f0c1a7d2-6f1a-4a57-9a0e-3f7f5f1f9f10',
    channel: `stable-${desired.split('.').slice(0, 2).join('.')}`,
    labels: { environment: row.name.split('-')[0] ?? '', region: row.member },
    controlPlaneHistory:
      row.kind === 'Classic' ? [] : historyOf(row.controlPlane.version, row.controlPlane.desired, row.controlPlane.startedTime),
    dataPlaneHistory: historyOf(row.dataPlane.version, row.dataPlane.desired, row.dataPlane.startedTime),
    components: componentsAt(version, desired, done, rolling, isStalled),
    pools: poolsOf(row),
    conditions: conditionsOf(row),
    insights: row.attention === 'Steady' ? [] : insightsOf(row),
    events: eventsOf(row),
    ...(row.kind === 'Classic' ? { upgrade: upgradeOf(desired) } : {}),
    ...estimateOf(row, isStalled),
  }
}

function estimateOf(row: ClusterRow, isStalled: boolean): Pick<ClusterView, 'estimate'> {
  if (isStalled)
    return { estimate: { completion: minutesAgo(0), unknownBecause: 'unknown, stalled because kube-apiserver waits for its image' } }
  if (row.estimatedEnd === undefined) return {}
  return { estimate: { completion: row.estimatedEnd, earliest: minutesAgo(-5), latest: minutesAgo(-19) } }
}

function historyOf(version: string | undefined, desired: string | undefined, startedTime: string | undefined): readonly UpdateView[] {
  const entries: readonly UpdateView[] =
    version === undefined
      ? []
      : [
          { version, state: 'Completed', startedTime: minutesAgo(20 * days), completionTime: minutesAgo(20 * days - 38) },
          { version: '4.19.9', state: 'Completed', startedTime: minutesAgo(48 * days), completionTime: minutesAgo(48 * days - 44) },
          { version: '4.19.8', state: 'Partial', startedTime: minutesAgo(49 * days), completionTime: minutesAgo(48 * days) },
          { version: '4.18.22', state: 'Completed', startedTime: minutesAgo(110 * days), completionTime: minutesAgo(110 * days - 31) },
        ]
  if (desired === undefined || desired === version) return entries
  return [{ version: desired, state: 'Partial', startedTime: startedTime ?? minutesAgo(14) }, ...entries]
}

function poolsOf(row: ClusterRow): readonly PoolView[] {
  const { wanted, ready, versions } = row.nodes
  if (wanted === 0) return []
  const version = versions[0]?.version ?? ''
  const { desired = version } = row.dataPlane
  const isMoving = row.dataPlane.version !== row.dataPlane.desired
  const allowed = { from: oldestFor(row.controlPlane.version ?? desired), to: row.controlPlane.version ?? desired }
  const first: PoolView = {
    name: row.kind === 'Classic' ? 'worker' : `${row.name}-workers`,
    ...(row.namespace === undefined ? {} : { namespace: row.namespace }),
    version,
    desired: isMoving ? desired : version,
    state: isMoving ? (row.attention === 'Stalled' ? 'Stalled' : 'Progressing') : 'Completed',
    upgradeType: 'Replace',
    wanted,
    ready,
    updated: isMoving ? Math.floor(wanted / 2) : wanted,
    skew: row.skew,
    ...(row.skew === 'Allowed'
      ? {}
      : { skewReason: `Nodes are at ${version}: a control plane at ${allowed.to} takes those of ${allowed.from} or newer` }),
    allowed,
    conditions: [],
  }
  return [first]
}

/** Two minors behind an even one, one behind an odd one. */
function oldestFor(version: string): string {
  const [major, minor = ''] = version.split('.')
  return `${major}.${Number(minor) - (Number(minor) % 2 === 0 ? 2 : 1)}`
}

function conditionsOf(row: ClusterRow): readonly ConditionView[] {
  const isBad = row.attention === 'Stalled' || row.attention === 'Failing'
  return [
    {
      type: 'Available',
      status: row.attention === 'Failing' ? 'False' : 'True',
      reason: row.attention === 'Failing' ? 'EtcdQuorumLost' : 'AsExpected',
      message: row.attention === 'Failing' ? 'etcd has lost its quorum' : 'The hosted control plane is available',
      since: minutesAgo(3 * days),
      isExpected: row.attention !== 'Failing',
    },
    {
      type: 'Progressing',
      status: isBad ? 'True' : 'False',
      reason: isBad ? 'WaitingForKubeAPIServer' : 'AsExpected',
      since: minutesAgo(72),
      isExpected: !isBad,
    },
    { type: 'Degraded', status: 'False', reason: 'AsExpected', since: minutesAgo(20 * days), isExpected: true },
    { type: 'ValidReleaseInfo', status: 'True', reason: 'AsExpected', since: minutesAgo(20 * days), isExpected: true },
    { type: 'EtcdSnapshotRestored', status: 'Unknown', since: minutesAgo(120 * days) },
  ]
}

function insightsOf(row: ClusterRow): readonly InsightView[] {
  return [
    {
      name: `${row.name}-images`,
      summary: 'Outdated nodes wait for the control plane',
      severity: row.attention === 'Stalled' || row.attention === 'Failing' ? 'Critical' : 'Info',
      impact: 'UpdateStalled',
      description: row.summary ?? 'Nodes are updated when the control plane is.',
      ...(row.attention === 'Stalled' ? { remedy: 'Let the registry be reached from the management cluster, or set another image.' } : {}),
      since: minutesAgo(58),
      about: ['Deployment kube-apiserver'],
    },
  ]
}

function eventsOf(row: ClusterRow): readonly EventView[] {
  const place = row.namespace === undefined ? {} : { namespace: row.namespace }
  const about = { kind: row.kind === 'Classic' ? 'ClusterVersion' : 'HostedCluster', ...place, name: row.name, side: 'management' } as const
  const normal = (minutes: number, reason: string, message: string): EventView => ({
    time: minutesAgo(minutes),
    count: 1,
    type: 'Normal',
    reason,
    message,
    object: about,
    cluster: row.id,
    source: 'hosted-cluster',
  })
  const asked = normal(20 * days, 'ReleaseChanged', 'Another release was asked for')
  if (row.attention === 'Steady') return [asked]
  const begun = normal(72, 'UpdateStarted', 'The update of the control plane begins')
  if (row.attention !== 'Stalled') return [begun, asked]
  const failed: EventView = {
    time: minutesAgo(2),
    count: 14,
    type: 'Warning',
    reason: 'Failed',
    message: 'Failed to pull image "example.com/ocp/kube-apiserver@sha256:0c1f": not found',
    object: { kind: 'Pod', namespace: `clusters-${row.name}`, name: 'kube-apiserver-7d9c5b6f4-x2x9p', side: 'management' },
    cluster: row.id,
    source: 'kubelet',
  }
  return [failed, begun, asked]
}
