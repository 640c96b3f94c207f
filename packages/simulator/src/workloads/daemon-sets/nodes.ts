import type { DaemonSet, Node, Toleration } from '@windlass/api'
import { isSelected, toleratesTaints } from '../scheduler/index.ts'

/** What Pods of DaemonSets put up with, whatever their template says: they are there for the node, not for themselves. */
export const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
]

export interface Eligibility {
  /** A Pod is made there if there is none. */
  readonly shouldRun: boolean
  /** A Pod that is there may stay. */
  readonly mayStay: boolean
}

/** Whether a node has a Pod of the set. A taint that came later, and does not drive Pods away, leaves those alone that are there. */
export function eligibilityOf({ spec }: DaemonSet, node: Node): Eligibility {
  const pod = { ...spec.template.spec, tolerations: [...(spec.template.spec.tolerations ?? []), ...daemonTolerations] }
  const isMeant = isSelected(pod, node)
  const driving = { ...node, spec: { ...node.spec, taints: (node.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute') } }
  return { shouldRun: isMeant && toleratesTaints(pod, node), mayStay: isMeant && toleratesTaints(pod, driving) }
}
