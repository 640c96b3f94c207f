import type { Pod } from '@windlass/api'
import { type Instant, parseTime, transitionTime } from '@windlass/core'
import { isReady, restartsOf } from '../pods/index.ts'

type Compare = (a: Pod, b: Pod, relatedOn: ReadonlyMap<string, number>) => number

/**
 * In which order Pods go when there are too many: first those that are missed least. Each rule decides among those that the rules before it
 * leave equal: a Pod that is on no node; one that has not come far; one that is not ready; one that says so itself; one on a node with many of its
 * kind; one that has been ready for a shorter time; one that was started again more often; the younger one.
 *
 * Real clusters compare ages by their order of magnitude only, and leave the rest to chance. Here two looks at different times name the same Pods:
 * a controller that took over from another, and does not know yet which Pods that one has deleted, must not choose those that it has left.
 */
const rules: readonly Compare[] = [
  (a, b) => Number(isPlaced(a)) - Number(isPlaced(b)),
  (a, b) => progress(a) - progress(b),
  (a, b) => Number(isReady(a)) - Number(isReady(b)),
  (a, b) => deletionCost(a) - deletionCost(b),
  (a, b, relatedOn) => (relatedOn.get(b.spec.nodeName ?? '') ?? 0) - (relatedOn.get(a.spec.nodeName ?? '') ?? 0),
  (a, b) => (isReady(a) ? readySince(b) - readySince(a) : 0),
  (a, b) => restartsOf(b) - restartsOf(a),
  (a, b) => createdAt(b) - createdAt(a),
  byName,
]

/** `relatedOn`: how many Pods of the same application run on a node. */
export function inOrderOfDeletion(pods: readonly Pod[], relatedOn: ReadonlyMap<string, number>): readonly Pod[] {
  return pods.toSorted((a, b) => {
    for (const rule of rules) {
      const order = rule(a, b, relatedOn)
      if (order !== 0) return order
    }
    return 0
  })
}

function isPlaced({ spec }: Pod): boolean {
  return (spec.nodeName ?? '') !== ''
}

const phases = ['Pending', 'Unknown', 'Running']

function progress({ status }: Pod): number {
  return phases.indexOf(status?.phase ?? 'Pending')
}

function deletionCost({ metadata }: Pod): number {
  const cost = Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0)
  return Number.isInteger(cost) ? cost : 0
}

function readySince({ status }: Pod): Instant {
  return transitionTime(status?.conditions, 'Ready') ?? 0
}

function createdAt({ metadata }: Pod): Instant {
  return parseTime(metadata.creationTimestamp) ?? 0
}

function byName(a: Pod, b: Pod): number {
  const [first = '', second = ''] = [a.metadata.name, b.metadata.name]
  return first === second ? 0 : first < second ? -1 : 1
}
