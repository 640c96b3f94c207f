import type { LabelRequirement, Node, PodSpec, Taint, Toleration } from '@windlass/api'
import { isTrue } from '@windlass/core'
import { isMet } from '@windlass/kube'

/** Why a Pod cannot run on a node; undefined when it can. */
export type Misfit = 'unready' | 'cordoned' | 'tainted' | 'unselected'

export function misfit(spec: PodSpec, node: Node): Misfit | undefined {
  if (!isSelected(spec, node)) return 'unselected'
  if (!isTrue(node.status?.conditions, 'Ready')) return 'unready'
  if (node.spec.unschedulable === true && !isTolerated(cordon, spec.tolerations)) return 'cordoned'
  return toleratesTaints(spec, node) ? undefined : 'tainted'
}

const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** By its labels: everything that the Pod requires of its node must hold. */
export function isSelected({ nodeSelector = {}, affinity }: PodSpec, { metadata: { labels = {} } }: Node): boolean {
  if (Object.entries(nodeSelector).some(([name, value]) => labels[name] !== value)) return false
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return (
    terms === undefined ||
    terms.some(({ matchExpressions = [] }) => matchExpressions.length > 0 && matchExpressions.every((each) => isMetByNode(each, labels)))
  )
}

/** Nodes are also chosen by numbers in their labels. */
function isMetByNode(requirement: LabelRequirement, labels: Readonly<Record<string, string>>): boolean {
  const { key, operator, values: [limit] = [] } = requirement
  if (operator !== 'Gt' && operator !== 'Lt') return isMet(requirement, labels)
  const difference = Number(labels[key]) - Number(limit)
  return operator === 'Gt' ? difference > 0 : difference < 0
}

/** Taints that only ask not to come keep nobody away. */
export function toleratesTaints({ tolerations }: PodSpec, { spec: { taints = [] } }: Node): boolean {
  return taints.every((taint) => taint.effect === 'PreferNoSchedule' || isTolerated(taint, tolerations))
}

function isTolerated(taint: Taint, tolerations: readonly Toleration[] = []): boolean {
  return tolerations.some(({ key = '', operator = 'Equal', value = '', effect }) => {
    if (effect !== undefined && effect !== taint.effect) return false
    if (key === '') return operator === 'Exists'
    return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''))
  })
}
