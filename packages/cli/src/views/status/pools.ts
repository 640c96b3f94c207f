import type { MachineConfigPoolProgressInsight, nodeSummaries } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { nodesInOrder } from './nodes.ts'
import type { NodeView, PoolView } from './view.ts'

type Status = NonNullable<MachineConfigPoolProgressInsight['status']>
type Summary = (typeof nodeSummaries)[number]

/** The pool of the machines that run the control plane. */
export const controlPlanePool = 'master'

/** Which nodes are counted where, by the insights into them. */
const counted: Readonly<Record<Summary, (node: NodeView) => boolean>> = {
  Total: () => true,
  Available: ({ isAvailable }) => isAvailable,
  Progressing: ({ phase }) => phase === 'Updating' || phase === 'Rebooting',
  Outdated: ({ phase }) => phase !== 'Updated',
  Draining: ({ phase }) => phase === 'Draining',
  Excluded: ({ phase }) => phase === 'Paused',
  Degraded: ({ assessment }) => assessment === 'Degraded',
}

/** How a pool goes. `nodes` are those of it that there are insights into. */
export function poolOf(status: Status, nodes: readonly NodeView[]): PoolView {
  const summed = (type: Summary): number => status.summaries?.find((summary) => summary.type === type)?.count ?? 0
  // Summaries end at 2,000: of more nodes than that they say nothing.
  const count = (type: Summary): number => (nodes.length > summed('Total') ? nodes.filter(counted[type]).length : summed(type))
  const total = count('Total')
  // The percentage is rounded down: a third of three is 33, and a third of that none.
  const completed =
    nodes.length === 0 ? Math.ceil((status.completionPercent * total) / 100) : nodes.filter(({ phase }) => phase === 'Updated').length
  return {
    name: status.name,
    assessment: total === 0 ? 'Empty' : status.assessment,
    completionPercent: status.completionPercent,
    total,
    completed,
    available: count('Available'),
    progressing: count('Progressing'),
    draining: count('Draining'),
    excluded: count('Excluded'),
    degraded: count('Degraded'),
    nodes: nodesInOrder(nodes),
  }
}

/** Whether a pool has nodes that are not where they should be. */
export function isBehind({ summaries, conditions }: Status): boolean {
  const total = summaries?.find(({ type }) => type === 'Total')?.count ?? 0
  return total > 0 && findCondition(conditions, 'Updating')?.reason !== 'Updated'
}

/** `worker` first: every cluster has it. */
export function poolsInOrder(pools: readonly PoolView[]): readonly PoolView[] {
  const rank = ({ name }: PoolView): number => (name === 'worker' ? 0 : 1)
  return pools.toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
}
