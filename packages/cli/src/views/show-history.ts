import type { Instant } from '@windlass/core'
import type { Context } from '../context.ts'
import type { MemberFlags } from '../dashboard/members.ts'
import { paintFor } from './colours.ts'
import { askMembers, complainOfLost, type LostMember } from './every-member.ts'
import { historyLines, historyOf, type HistoryView } from './history/index.ts'
import { clusterPlace, lookFor, onlyOne } from './hosted-clusters.ts'
import type { WatchFlags } from './options.ts'
import type { WideOutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { show } from './watching.ts'

export interface HistoryRequest extends MemberFlags, WatchFlags {
  readonly namespace?: string
  readonly output: WideOutputFormat
}

interface Seen {
  readonly view: HistoryView
  readonly lost: readonly LostMember[]
}

/** What `windlass history` does. */
export async function showHistory(context: Context, cluster: string, request: HistoryRequest): Promise<void> {
  const place = clusterPlace(cluster, request.namespace)
  const now = (): Instant => context.clock.now()
  const read = async (): Promise<Seen> => {
    const found = await askMembers(context, request, place.member, (source) => lookFor(source, place))
    const { member, cluster: hostedCluster } = onlyOne(found, place)
    const hasMembers = found.answers.length + found.lost.length > 1
    return { view: { ...(hasMembers ? { member } : {}), ...historyOf(hostedCluster, now()) }, lost: found.lost }
  }
  const { lost } = await show(context, request, {
    read,
    text: ({ view }) => rendered(request.output, view, (isWide) => historyLines(view, now(), isWide, paintFor(context.output))),
  })
  complainOfLost(context, lost)
}
