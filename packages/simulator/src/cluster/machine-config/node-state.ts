import type { Node } from '@windlass/api'
import { isFalse, isTrue } from '@windlass/core'
import { type NodeAnnotation, nodeAnnotations } from './names.ts'

/** What the annotations of a node say; empty where there is none. */
export function annotationOf({ metadata }: Node, which: NodeAnnotation): string {
  return metadata.annotations?.[nodeAnnotations[which]] ?? ''
}

/** What a pool wants to know of a node. */
interface Facts {
  readonly current: string
  readonly desired: string
  readonly isReady: boolean
  readonly isSettled: boolean
  readonly isDegraded: boolean
  readonly isUnavailable: boolean
}

/** Objects do not change: what was found out about one stays true. A pool of thousands looks at all of them whenever one is another. */
const known = new WeakMap<Node, Facts>()

function factsOf(node: Node): Facts {
  const before = known.get(node)
  if (before !== undefined) return before
  const [current, desired, state] = [annotationOf(node, 'currentConfig'), annotationOf(node, 'desiredConfig'), annotationOf(node, 'state')]
  const isSettledNow = current !== '' && current === desired && state === 'Done'
  const isDegradedNow = desired !== '' && ['Degraded', 'Unreconcilable'].includes(state)
  const facts: Facts = {
    current,
    desired,
    isReady: isTrue(node.status?.conditions, 'Ready'),
    isSettled: isSettledNow,
    isDegraded: isDegradedNow,
    isUnavailable: isUnwell(node) || node.spec.unschedulable === true || !(isSettledNow || isDegradedNow),
  }
  known.set(node, facts)
  return facts
}

function isUnwell({ status }: Node): boolean {
  const { conditions = [] } = status ?? {}
  return (
    conditions.some(({ type, status: is }) => type === 'Ready' && is !== 'True') ||
    ['DiskPressure', 'NetworkUnavailable'].some((type) => conditions.some((each) => each.type === type) && !isFalse(conditions, type))
  )
}

export function isReady(node: Node): boolean {
  return factsOf(node).isReady
}

/** It has what it should have, and its daemon says so. */
export function isSettled(node: Node): boolean {
  return factsOf(node).isSettled
}

export function isAt(node: Node, config: string): boolean {
  const { isSettled: isThere, current } = factsOf(node)
  return isThere && current === config
}

/** It has some config, and not this one to go to. */
export function isWaitingFor(node: Node, config: string): boolean {
  const { current, desired } = factsOf(node)
  return current !== '' && desired !== config
}

/** Its daemon has failed. */
export function isDegraded(node: Node): boolean {
  return factsOf(node).isDegraded
}

/** Pods cannot count on it: it is not well, it is cordoned, or its daemon is at work. One whose daemon has failed is not at work. */
export function isUnavailable(node: Node): boolean {
  return factsOf(node).isUnavailable
}
