import type { ClusterId, ClusterRow, MemberView } from '@windlass/fleet/contract'

/** Sentences for what somebody should hear at once: clusters that stall or fail, members that are lost or come back. */
export function news(
  rows: ReadonlyMap<ClusterId, ClusterRow>,
  members: readonly MemberView[],
  next: { readonly clusters: readonly ClusterRow[]; readonly members: readonly MemberView[] },
): readonly string[] {
  const worse = next.clusters.filter((row) => isBad(row) && rows.get(row.id)?.attention !== row.attention)
  const states = new Map(members.map(({ name, state }) => [name, state]))
  const moved = next.members.filter(({ name, state }) => (states.get(name) === 'Unreachable') !== (state === 'Unreachable'))
  return [
    ...(worse.length > 2
      ? [`${worse.length} clusters have stalled or fail.`]
      : worse.map(
          ({ name, attention, summary }) =>
            `${name} ${attention === 'Stalled' ? 'has stalled' : 'fails'}${summary === undefined ? '' : `: ${summary}`}.`,
        )),
    ...moved.map(({ name, state }) => (state === 'Unreachable' ? `${name} cannot be reached.` : `${name} can be reached again.`)),
  ]
}

function isBad({ attention }: ClusterRow): boolean {
  return attention === 'Stalled' || attention === 'Failing'
}
