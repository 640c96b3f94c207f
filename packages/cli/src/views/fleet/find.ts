import type { ClusterId, ClusterRow, FleetView } from '@windlass/fleet'
import { Failure } from '../../failures.ts'
import { nameOf } from './lines.ts'

/** How many are named to somebody who asked for one that is not there. */
const shown = 5

/**
 * The cluster that a person means by `prod`, `clusters/prod`, `east/clusters/prod`, or the name of a classic one.
 *
 * # Errors
 *
 * `Failure`, with what to do, when there is none or when there are several. Of members that cannot be reached it says so: it may be there.
 */
export function findRow({ clusters, members }: FleetView, text: string, namespace?: string): ClusterRow {
  const found = clusters.filter((row) => isMeant(row, text) && (namespace === undefined || row.namespace === namespace))
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) {
    const hint = new Set(found.map(nameOf)).size === found.length ? 'NAMESPACE/NAME' : 'MEMBER/NAMESPACE/NAME'
    throw new Failure(`there are ${found.length} clusters named ${text}: ${found.map(({ id }) => id).join(', ')}. Say which one as ${hint}`)
  }
  const lost = members.filter(({ state }) => state !== 'Synced').map(({ name }) => name)
  const unknown = lost.length === 0 ? '' : `; nothing is known of ${lost.join(', ')}, where it may be`
  const place = namespace === undefined ? '' : ` in the namespace ${namespace}`
  if (clusters.length === 0)
    throw new Failure(`there is no cluster ${text}${place}, nor any other: choose others with --kubeconfig or --context${unknown}`)
  const some = clusters.slice(0, shown).map(nameOf).join(', ')
  const rest = clusters.length > shown ? ' and others, which windlass fleet lists' : ''
  throw new Failure(`there is no cluster ${text}${place}: there are ${some}${rest}${unknown}`)
}

function isMeant(row: ClusterRow, text: string): boolean {
  return text === row.name || text === nameOf(row) || text === row.id
}

/** The id of a cluster where there is only one member: `clusters/prod`. */
export function withoutMember(id: ClusterId): string {
  const slash = id.indexOf('/')
  return slash < 0 ? id : id.slice(slash + 1)
}
