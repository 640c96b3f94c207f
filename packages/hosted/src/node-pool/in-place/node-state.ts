import type { Node } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { NodeAnnotation } from '../wire.ts'

/** How the machine configuration daemon on a node says that it is. */
export interface NodeState {
  readonly current: string
  readonly desired: string
  readonly state: string
  readonly reason: string
  readonly desiredDrain: string
  readonly lastAppliedDrain: string
}

export function nodeStateOf({ metadata: { annotations = {} } }: Node): NodeState {
  const read = (name: string): string => annotations[name] ?? ''
  return {
    current: read(NodeAnnotation.currentConfig),
    desired: read(NodeAnnotation.desiredConfig),
    state: read(NodeAnnotation.state),
    reason: read(NodeAnnotation.reason),
    desiredDrain: read(NodeAnnotation.desiredDrain),
    lastAppliedDrain: read(NodeAnnotation.lastAppliedDrain),
  }
}

/**
 * Whether a node has not got to the target: it is at another configuration, or it is there and not done yet, or its drain is not finished.
 *
 * A node that says nothing was born with the configuration of its set; it needs an upgrade unless that is the target. Once it has been sent somewhere, it says where it
 * is when it has arrived.
 */
export function needsUpgrade(node: Node, currentOfSet: string, target: string): boolean {
  const { current, desired, state, desiredDrain, lastAppliedDrain } = nodeStateOf(node)
  if (current === '') return desired !== '' || currentOfSet !== target
  return desiredDrain !== lastAppliedDrain || current !== target || state !== 'Done'
}

/** Whether a node has been told to go somewhere and is not there. */
export function isUpdating(node: Node): boolean {
  const { current, desired } = nodeStateOf(node)
  return current !== desired
}

/** Whether nothing can be started on a node, whoever closed it or broke it. One that does not say whether it is ready is not known to be away. */
export function isUnavailable({ spec, status }: Node): boolean {
  const ready = findCondition(status?.conditions, 'Ready')
  return spec.unschedulable === true || (ready !== undefined && ready.status !== 'True')
}

export function isDegraded(node: Node): boolean {
  return nodeStateOf(node).state === 'Degraded'
}
