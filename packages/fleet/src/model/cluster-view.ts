import { type Event, Event as Events } from '@windlass/api'
import type { Clock } from '@windlass/core'
import { type Client, type Log, type Selection } from '@windlass/kube'
import { controlPlaneNamespaceOf } from '@windlass/hosted'
import { classicView } from '../answers/classic/index.ts'
import { eventView, oldestFirst } from '../answers/events.ts'
import { hostedView } from '../answers/hosted/index.ts'
import type { HostedParts, Yardstick } from '../answers/index.ts'
import type { ClusterRow, ClusterView, EventView, ObjectPlace } from '../contract/index.ts'
import { classicEventKinds, type MemberClusters } from './member-clusters.ts'

/** So many events are shown of one cluster. */
const mostEvents = 100

/** One cluster in full: what is in memory, and its events. */
export async function clusterView(
  row: ClusterRow,
  clusters: MemberClusters,
  yardstick: Yardstick,
  { log }: { readonly clock: Clock; readonly log: Log },
): Promise<ClusterView | undefined> {
  const { member } = clusters
  const [before, client] = [clusters.hosted(row.id), member.feeds?.client]
  const selections = before === undefined ? classicSelections : hostedSelections(before)
  const side = before === undefined ? 'guest' : 'management'
  const canAsk = client !== undefined && member.state === 'Synced'
  const events = canAsk
    ? await read(client, selections, row.id, side).catch((error: unknown) => {
        log.warn({ err: error, cluster: row.id }, 'cannot read its events: it is shown without them')
        return []
      })
    : []
  // Reading takes a while: what is shown is how it is after that.
  const look = { now: member.asOf, yardstick, member: member.name, isCurrent: member.state === 'Synced' }
  const now = clusters.row(row.id, yardstick)?.row
  const [hosted, classic] = [clusters.hosted(row.id), clusters.classic(row.id)]
  if (now === undefined) return undefined
  if (hosted !== undefined) return hostedView(hosted, now, events, look)
  return classic === undefined ? undefined : classicView(classic, now, events, look)
}

/** Its own events, those of its pools, and all in the namespace of its control plane. */
function hostedSelections({ hostedCluster, pools }: HostedParts): readonly Selection[] {
  const { namespace = '', name = '' } = hostedCluster.metadata
  const about = (kind: string, of: string): Selection => ({ namespace, fieldSelector: `regarding.kind=${kind},regarding.name=${of}` })
  return [
    about('HostedCluster', name),
    ...pools.map(({ metadata }) => about('NodePool', metadata.name ?? '')),
    { namespace: controlPlaneNamespaceOf(hostedCluster) },
  ]
}

const classicSelections: readonly Selection[] = [...classicEventKinds].map((kind) => ({ fieldSelector: `regarding.kind=${kind}` }))

/** Newest first. */
async function read(
  client: Client,
  selections: readonly Selection[],
  id: string,
  side: ObjectPlace['side'],
): Promise<readonly EventView[]> {
  const lists = await Promise.all(selections.map((selection) => listed(client, selection)))
  return lists
    .flat()
    .map((event) => eventView(event, id, side))
    .toSorted((a, b) => oldestFirst(b, a))
    .slice(0, mostEvents)
}

async function listed(client: Client, selection: Selection): Promise<readonly Event[]> {
  const events: Event[] = []
  for await (const event of client.list(Events, selection)) events.push(event)
  return events
}
