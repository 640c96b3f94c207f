import type { Node } from '@windlass/api'
import { isFalse, isTrue } from '@windlass/core'
import { type NodeAnnotation, nodeAnnotations } from './names.ts'

/** What the annotations of a node say; empty where there is none. */
export function annotationOf({ metadata }: Node, which: NodeAnnotation): string {
  return metadata.annotations?.[nodeAnnotations[which]] ?? ''
}

export function isReady({ status }: Node): boolean {
  return isTrue(status?.conditions, 'Ready')
}

/** It has what it should have, and its daemon says so. */
export function isSettled(node: Node): boolean {
  const current = annotationOf(node, 'currentConfig')
  return current !== '' && current === annotationOf(node, 'desiredConfig') && annotationOf(node, 'state') === 'Done'
}

export function isAt(node: Node, config: string): boolean {
  return isSettled(node) && annotationOf(node, 'currentConfig') === config
}

/** Its daemon has failed. */
export function isDegraded(node: Node): boolean {
  return annotationOf(node, 'desiredConfig') !== '' && ['Degraded', 'Unreconcilable'].includes(annotationOf(node, 'state'))
}

/** Pods cannot count on it: it is not well, it is cordoned, or its daemon is at work. One whose daemon has failed is not at work. */
export function isUnavailable(node: Node): boolean {
  const { conditions = [] } = node.status ?? {}
  const isUnwell =
    conditions.some(({ type, status }) => type === 'Ready' && status !== 'True') ||
    ['DiskPressure', 'NetworkUnavailable'].some((type) => conditions.some((each) => each.type === type) && !isFalse(conditions, type))
  return isUnwell || node.spec.unschedulable === true || !(isSettled(node) || isDegraded(node))
}
