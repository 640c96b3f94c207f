import type { MachineConfigPoolProgressInsight, nodeSummaries } from '@windlass/api'
import { findCondition } from '@windlass/core'
import { nodesInOrder } from './nodes.ts'
import type { NodeView, PoolView } from './view.ts'

type Status = NonNullable<MachineConfigPoolProgressInsight['status']>
type Summary = (typeof nodeSummaries)[number]

/** The pool of the machines that run the control plane. */
export const controlPlanePool = 'master'

/** How a pool goes. `nodes` are those of it that there are insights into. */
export function poolOf(status: Status, nodes: readonly NodeView[]): PoolView {
  const count = (type: Summary): number => status.summaries?.find((summary) => summary.type === type)?.count ?? 0
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
