import type { ClusterRow, MemberView } from '@windlass/fleet/contract'
import { aRow } from './rows.ts'
import { days, minutesAgo } from './time.ts'

/** Everything that a fleet's page must be able to show, in one small fleet. */
export const sampleRows: readonly ClusterRow[] = [
  aRow({
    member: 'us-east',
    name: 'prod-us-2',
    attention: 'Stalled',
    controlPlane: '4.19.14 > 4.20.8',
    dataPlane: '4.19.14',
    progress: [11, 37],
    nodes: [6, 6],
    summary: 'The upgrade to 4.20.8 has waited for 1h12m for kube-apiserver: its image cannot be pulled',
  }),
  aRow({
    member: 'ap-south',
    name: 'prod-ap-1',
    platform: 'Azure',
    attention: 'Stalled',
    controlPlane: '4.18.19',
    dataPlane: '4.18.12 > 4.18.19',
    nodes: [5, 6],
    nodeVersion: '4.18.12',
    summary: 'Nodes of prod-ap-1-workers cannot be drained: the disruption budget shop/checkout allows no disruption',
  }),
  aRow({
    name: 'prod-eu-7',
    attention: 'Failing',
    controlPlane: '4.20.3',
    nodes: [2, 9],
    summary: 'etcd has lost its quorum: 1 of 3 members is ready',
  }),
  aRow({
    name: 'prod-eu-2',
    attention: 'Upgrading',
    controlPlane: '4.19.14 > 4.20.8',
    dataPlane: '4.19.14',
    progress: [23, 37],
    nodes: [12, 12],
    estimatedEnd: minutesAgo(-9),
    summary: 'kube-controller-manager rolls out',
  }),
  aRow({
    member: 'classic-eu-1',
    name: 'classic-eu-1',
    kind: 'Classic',
    attention: 'Upgrading',
    controlPlane: '4.19.12 > 4.19.15',
    dataPlane: '4.19.12 > 4.19.15',
    progress: [31, 34],
    nodes: [8, 9],
    estimatedEnd: minutesAgo(-41),
    summary: 'Worker nodes are upgraded, 3 of 6 done',
  }),
  aRow({
    name: 'stage-eu-3',
    attention: 'Installing',
    controlPlane: '? > 4.21.3',
    nodes: [0, 3],
    progress: [4, 37],
    summary: 'Waits for etcd',
  }),
  aRow({ name: 'dev-eu-9', attention: 'Deleting', controlPlane: '4.20.3', nodes: [0, 0] }),
  aRow({
    member: 'us-east',
    name: 'dev-us-4',
    attention: 'Paused',
    controlPlane: '4.20.6',
    summary: 'Reconciliation is paused until 6 Mar 08:00',
  }),
  aRow({
    member: 'us-east',
    name: 'edge-us-1',
    attention: 'Unknown',
    controlPlane: '4.18.30',
    dataPlane: '?',
    summary: 'Its ClusterVersion has not been reported',
  }),
  aRow({
    member: 'us-east',
    name: 'prod-us-1',
    controlPlane: '4.20.6',
    dataPlane: '4.20.6',
    nodeVersion: '4.18.22',
    nodes: [20, 20],
    skew: 'AtLimit',
  }),
  aRow({
    member: 'ap-south',
    name: 'prod-ap-4',
    controlPlane: '4.21.1',
    dataPlane: '4.21.1',
    nodeVersion: '4.17.9',
    nodes: [4, 4],
    skew: 'Violated',
  }),
  aRow({ name: 'prod-eu-1', controlPlane: '4.19.12', nodes: [3, 3] }),
  aRow({ name: 'prod-eu-10', controlPlane: '4.20.8', nodes: [30, 30] }),
  aRow({ name: 'prod-eu-11', controlPlane: '4.20.8', nodes: [16, 16] }),
  aRow({ name: 'stage-eu-1', controlPlane: '4.20.10', nodes: [3, 3] }),
  aRow({ name: 'stage-eu-2', controlPlane: '4.21.1', nodes: [3, 3] }),
  aRow({ member: 'us-east', name: 'stage-us-1', controlPlane: '4.21.1', nodes: [3, 3] }),
  aRow({ member: 'us-east', name: 'prod-us-5', controlPlane: '4.20.8', nodes: [24, 24] }),
  aRow({ member: 'ap-south', name: 'prod-ap-2', controlPlane: '4.20.8', nodes: [9, 9], platform: 'Azure' }),
  aRow({ member: 'ap-south', name: 'prod-ap-3', controlPlane: '4.19.19', nodes: [6, 6], platform: 'Azure' }),
  aRow({ name: 'dev-eu-1', controlPlane: '4.21.3', nodes: [3, 3] }),
]

const members = ['ap-south', 'classic-eu-1', 'eu-west', 'us-east']

export function membersOf(rows: readonly ClusterRow[]): readonly MemberView[] {
  return [...new Set([...(rows.length === 0 ? [] : members), ...rows.map(({ member }) => member)])].toSorted().map((name) => ({
    name,
    state: 'Synced',
    since: minutesAgo(3 * days),
    lastSynced: minutesAgo(0),
    clusters: rows.filter(({ member }) => member === name).length,
  }))
}
