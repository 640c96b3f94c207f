import type { NodeProgressInsight } from '@windlass/api'
import { findCondition, isTrue } from '@windlass/core'
import { type NodeAssessment, nodeAssessments, type NodePhase, nodePhases, type NodeView } from './view.ts'

type Status = NonNullable<NodeProgressInsight['status']>

/** What the reason of `Updating` is called here. */
const phases: Readonly<Record<string, NodePhase>> = {
  Draining: 'Draining',
  Updating: 'Updating',
  Rebooting: 'Rebooting',
  Paused: 'Paused',
  Pending: 'Pending',
  Completed: 'Updated',
}

const assessments: Readonly<Partial<Record<NodePhase, NodeAssessment>>> = { Paused: 'Excluded', Updated: 'Completed' }

/** Where a node stands. Being degraded tells more than not being there. */
export function nodeOf(status: Status): NodeView {
  const { name, version, estimatedToComplete, message = '', conditions } = status
  const phase = phases[findCondition(conditions, 'Updating')?.reason ?? ''] ?? 'Pending'
  const isAvailable = isTrue(conditions, 'Available')
  return {
    name,
    assessment: assess(conditions, phase, isAvailable),
    phase,
    ...(version === undefined ? {} : { version }),
    isAvailable,
    ...(estimatedToComplete === undefined ? {} : { estimatedToComplete }),
    message: withoutName(message, name),
  }
}

function assess(conditions: Status['conditions'], phase: NodePhase, isAvailable: boolean): NodeAssessment {
  if (isTrue(conditions, 'Degraded')) return 'Degraded'
  if (!isAvailable) return 'Unavailable'
  if (isTrue(conditions, 'Updating')) return 'Progressing'
  return assessments[phase] ?? 'Outdated'
}

/** Names of nodes are long, and each is in the first column already. Short ones may be words of the message. */
function withoutName(message: string, name: string): string {
  const line = message.replaceAll(/\s*\n\s*/g, ' ')
  return name.length >= 8 ? line.replaceAll(name, '<node>') : line
}

/** By assessment, then by phase, then by name. */
export function nodesInOrder(nodes: readonly NodeView[]): readonly NodeView[] {
  return nodes.toSorted(
    (a, b) =>
      nodeAssessments.indexOf(a.assessment) - nodeAssessments.indexOf(b.assessment) ||
      nodePhases.indexOf(a.phase) - nodePhases.indexOf(b.phase) ||
      (a.name < b.name ? -1 : 1),
  )
}

/** How many nodes of a pool are shown to somebody who did not ask for all of them. */
const usuallyShown = 10

/** The nodes to show, in order, and those to leave out. None that is in trouble is left out. */
export function abridged(nodes: readonly NodeView[]): { readonly shown: readonly NodeView[]; readonly omitted: readonly NodeView[] } {
  const isShown = ({ assessment }: NodeView, index: number): boolean =>
    index < usuallyShown || assessment === 'Degraded' || assessment === 'Unavailable'
  return { shown: nodes.filter(isShown), omitted: nodes.filter((node, index) => !isShown(node, index)) }
}
