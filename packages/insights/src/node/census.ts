import { nodeSummaries } from '@windlass/api'
import type { NodeState } from './node-state.ts'

type Summary = (typeof nodeSummaries)[number]

/** How many nodes of a pool are how; one may count in several. */
export type NodeCounts = Readonly<Record<Summary, number>>

/** Which nodes are counted where. */
const counted: Readonly<Record<Summary, (state: NodeState) => boolean>> = {
  Total: () => true,
  Available: ({ unavailability }) => unavailability === undefined,
  Progressing: ({ phase }) => phase === 'Updating' || phase === 'Rebooting',
  Outdated: ({ phase }) => phase !== 'Completed',
  Draining: ({ phase }) => phase === 'Draining',
  Excluded: ({ phase }) => phase === 'Paused',
  Degraded: ({ degradation }) => degradation !== undefined,
}

const nobody: NodeCounts = { Total: 0, Available: 0, Progressing: 0, Outdated: 0, Draining: 0, Excluded: 0, Degraded: 0 }

/** Counts the nodes of one pool. */
export function countNodes(states: Iterable<NodeState>): NodeCounts {
  let counts = nobody
  for (const state of states) counts = changedBy(counts, state, 1)
  return counts
}

function changedBy(counts: NodeCounts, state: NodeState, by: 1 | -1): NodeCounts {
  const changed = { ...counts }
  for (const summary of nodeSummaries) if (counted[summary](state)) changed[summary] += by
  return changed
}

/**
 * The counts of all pools, kept node by node: thousands of nodes take thousands of steps in an update, and to count all of them after each step would take
 * longer than everything else together.
 */
export class Census {
  readonly #pools = new Map<string, NodeCounts>()

  of(pool: string): NodeCounts {
    return this.#pools.get(pool) ?? nobody
  }

  /** A node was like this, and is like that; undefined where it was in no pool, or is in none. */
  replace(before: NodeState | undefined, after: NodeState | undefined): void {
    if (before === after) return
    if (before !== undefined) this.#change(before, -1)
    if (after !== undefined) this.#change(after, 1)
  }

  #change(state: NodeState, by: 1 | -1): void {
    const { name } = state.pool
    const counts = changedBy(this.of(name), state, by)
    if (counts.Total === 0) this.#pools.delete(name)
    else this.#pools.set(name, counts)
  }
}
