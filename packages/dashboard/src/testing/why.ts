import type { CauseChain, ClusterRow, WhyView } from '@windlass/fleet/contract'
import { minutesAgo } from './time.ts'

/** Why a scripted cluster waits: two chains for one that is stalled, one for one that fails or goes, none for others. */
export function whyOf(row: ClusterRow, time: string): WhyView {
  if (row.attention === 'Failing') return failing(row, time)
  if (row.attention === 'Deleting') return deleting(row, time)
  if (row.attention !== 'Stalled') {
    return {
      time,
      id: row.id,
      verdict: row.attention === 'Upgrading' ? 'The upgrade goes on: kube-controller-manager rolls out.' : 'It waits for nothing.',
      chains: [],
      unknown: row.attention === 'Unknown' ? ['Nodes and operators of the cluster: its API did not answer within 5s'] : [],
    }
  }
  const namespace = `clusters-${row.name}`
  return {
    time,
    id: row.id,
    verdict: `${row.summary ?? 'It waits'}.`,
    chains: [
      {
        links: [
          {
            object: { kind: 'HostedCluster', namespace: 'clusters', name: row.name, side: 'management' },
            says: 'The control plane is not at 4.20.8',
            since: minutesAgo(72),
          },
          {
            object: { kind: 'ControlPlaneComponent', namespace, name: 'kube-apiserver', side: 'management' },
            says: 'Its rollout does not go on',
            reason: 'RolloutStalled',
            since: minutesAgo(70),
          },
          {
            object: { kind: 'Deployment', namespace, name: 'kube-apiserver', side: 'management' },
            says: '1 of 3 replicas is updated',
            reason: 'ProgressDeadlineExceeded',
            since: minutesAgo(61),
          },
          {
            object: { kind: 'Pod', namespace, name: 'kube-apiserver-7d9c5b6f4-x2x9p', side: 'management' },
            says: 'The image of its container kube-apiserver cannot be pulled: example.com/ocp/release-content@sha256:09ff0ab8c4743bce4560431644692e43a6965854f6b29e876ab8860ecff302ed: not found',
            reason: 'ImagePullBackOff',
            since: minutesAgo(70),
          },
        ],
        remedy: 'Make the image available in the registry, or ask for a release whose images are there.',
        command: `kubectl -n ${namespace} describe pod kube-apiserver-7d9c5b6f4-x2x9p`,
      },
      {
        links: [
          {
            object: { kind: 'HostedCluster', namespace: 'clusters', name: row.name, side: 'management' },
            says: 'Its pools wait for the control plane',
          },
          {
            object: { kind: 'NodePool', namespace: 'clusters', name: `${row.name}-workers`, side: 'management' },
            says: 'Nodes may not be newer than the control plane',
            reason: 'UnsupportedSkew',
          },
        ],
        command: `kubectl -n clusters describe nodepool ${row.name}-workers`,
      },
    ],
    unknown: ['Nodes of the cluster: its API did not answer within 5s'],
  }
}

function failing(row: ClusterRow, time: string): WhyView {
  const namespace = `clusters-${row.name}`
  const chain: CauseChain = {
    links: [
      {
        object: { kind: 'HostedCluster', namespace: 'clusters', name: row.name, side: 'management' },
        says: 'It is not available',
        since: minutesAgo(64),
      },
      {
        object: { kind: 'StatefulSet', namespace, name: 'etcd', side: 'management' },
        says: '1 of 3 Pods is ready',
        reason: 'QuorumLost',
        since: minutesAgo(64),
      },
      {
        object: { kind: 'Pod', namespace, name: 'etcd-1', side: 'management' },
        says: 'No node has room for it: 0 of 12 nodes are available: 12 have a volume node affinity conflict',
        reason: 'Unschedulable',
        since: minutesAgo(66),
      },
    ],
    remedy: 'Bring back a node in the zone of its volume.',
    command: `kubectl -n ${namespace} describe pod etcd-1`,
  }
  return { time, id: row.id, verdict: 'It has waited for 64m for Pod etcd-1: no node has room for it.', chains: [chain], unknown: [] }
}

function deleting(row: ClusterRow, time: string): WhyView {
  const namespace = `clusters-${row.name}`
  const chain: CauseChain = {
    links: [
      {
        object: { kind: 'HostedCluster', namespace: 'clusters', name: row.name, side: 'management' },
        says: 'It is being deleted',
        since: minutesAgo(6),
      },
      {
        object: { kind: 'Machine', namespace, name: `${row.name}-workers-7k2fd`, side: 'management' },
        says: 'Its provider has not deleted it yet',
        reason: 'Deleting',
        since: minutesAgo(5),
      },
    ],
    command: `kubectl -n ${namespace} describe machine ${row.name}-workers-7k2fd`,
  }
  return { time, id: row.id, verdict: 'The deletion goes on as usual. It waits for a machine.', chains: [chain], unknown: [] }
}
