import type { ClusterRow } from '@windlass/fleet/contract'
import type { FleetQuery } from '../address/fleet-query.ts'
import { matcherOf } from './filter.ts'
import { comparisonOf } from './order.ts'

/** The rows that were asked for, in the order that was asked for. */
export function arrange(rows: Iterable<ClusterRow>, query: FleetQuery): readonly ClusterRow[] {
  const matches = matcherOf(query)
  const chosen: ClusterRow[] = []
  for (const row of rows) if (matches(row)) chosen.push(row)
  return chosen.sort(comparisonOf(query))
}

/**
 * Whether a change moves a row in an arrangement, brings it in or takes it out.
 *
 * A table does not follow each change at once: rows that jump while somebody reads them cannot be read. It shows the change in its place, and this tells whether
 * there is something to be put in order later.
 */
export function movesIn(query: FleetQuery): (before: ClusterRow | undefined, after: ClusterRow | undefined) => boolean {
  const matches = matcherOf(query)
  const compare = comparisonOf(query)
  return (before, after) => {
    const wasIn = before !== undefined && matches(before)
    const isIn = after !== undefined && matches(after)
    return wasIn !== isIn || (wasIn && isIn && compare(before, after) !== 0)
  }
}
