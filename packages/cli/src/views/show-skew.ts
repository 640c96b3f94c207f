import { HostedCluster, NodePool } from '@windlass/api'
import { parseVersion } from '@windlass/core'
import type { Context } from '../context.ts'
import type { MemberFlags } from '../dashboard/members.ts'
import { BadNews, ExitStatus, Failure } from '../failures.ts'
import { paintFor } from './colours.ts'
import { askMembers, complainOfLost, type LostMember } from './every-member.ts'
import { clusterPlace, lookFor, onlyOne } from './hosted-clusters.ts'
import type { SkewFlags, WatchFlags } from './options.ts'
import type { WideOutputFormat } from './output-formats.ts'
import { rendered } from './rendering.ts'
import { isBadSkew, skewLines, type SkewQuestion, skewOf, type SkewView } from './skew/index.ts'
import { show } from './watching.ts'

export interface SkewRequest extends MemberFlags, WatchFlags, SkewFlags {
  /** All of them without a name. */
  readonly cluster?: string
  readonly namespace?: string
  readonly to?: string
  readonly output: WideOutputFormat
}

interface Seen {
  readonly views: readonly SkewView[]
  readonly lost: readonly LostMember[]
}

/** What `windlass skew` does. Ends with bad news when nodes are where they may not be, or cannot get to where they should. */
export async function showSkew(context: Context, request: SkewRequest): Promise<void> {
  const { cluster, to, policy, source: trusted, output } = request
  const question: SkewQuestion = { policy, source: trusted, ...(to === undefined ? {} : { target: versionOf(to) }) }
  const read = async (): Promise<Seen> => {
    const { clusters, lost } = await clustersFor(context, request)
    const several = new Set([...clusters.map(({ member }) => member), ...lost.map(({ member }) => member)]).size > 1
    const views = clusters.map(({ member, cluster: each, pools }) => ({ ...(several ? { member } : {}), ...skewOf(each, pools, question) }))
    return { views, lost }
  }
  const text = ({ views }: Seen): string => {
    const [only] = views
    const value = cluster === undefined || only === undefined ? { clusters: views } : only
    return rendered(output, value, (isWide) =>
      views.flatMap((view, index) => [...(index === 0 ? [] : ['']), ...skewLines(view, isWide, paintFor(context.output))]),
    )
  }
  const { views, lost } = await show(context, request, { read, text })
  complainOfLost(context, lost)
  if (views.some(isBadSkew)) throw new BadNews(ExitStatus.usage)
  if (cluster === undefined && lost.length > 0) throw new BadNews(ExitStatus.failure)
}

interface Asked {
  readonly member: string
  readonly cluster: HostedCluster
  readonly pools: readonly NodePool[]
}

/** The cluster that is named, or all of them, each with its pools. */
async function clustersFor(
  context: Context,
  request: SkewRequest,
): Promise<{ readonly clusters: readonly Asked[]; readonly lost: readonly LostMember[] }> {
  const { namespace } = request
  const place = request.cluster === undefined ? undefined : clusterPlace(request.cluster, namespace)
  const { answers, lost } = await askMembers(context, request, place?.member, async (source) => {
    const found =
      place === undefined ? { clusters: await source.list(HostedCluster, placeOf(namespace)), others: [] } : await lookFor(source, place)
    const pools = found.clusters.length === 0 ? [] : await source.list(NodePool, placeOf(place?.namespace ?? namespace))
    return { ...found, pools }
  })
  const poolsOf = (member: string, cluster: HostedCluster): readonly NodePool[] =>
    answers.find((each) => each.member === member)?.answer.pools.filter(isOf(cluster)) ?? []
  const clusters =
    place === undefined
      ? answers.flatMap(({ member, answer }) => answer.clusters.map((cluster) => ({ member, cluster })))
      : [onlyOne({ answers, lost }, place)]
  if (clusters.length === 0) {
    const where = namespace === undefined ? '' : ` in the namespace ${namespace}`
    throw new Failure(`there are no hosted clusters${where}: choose another cluster with --kubeconfig or --context`)
  }
  return { clusters: clusters.map(({ member, cluster }) => ({ member, cluster, pools: poolsOf(member, cluster) })), lost }
}

function versionOf(text: string) {
  try {
    return parseVersion(text)
  } catch {
    throw new Failure(`"${text}" is no version: write it as in 4.20.8`)
  }
}

function placeOf(namespace: string | undefined): { readonly namespace?: string } {
  return namespace === undefined ? {} : { namespace }
}

function isOf({ metadata }: HostedCluster): (pool: NodePool) => boolean {
  return (pool) => pool.metadata.namespace === metadata.namespace && pool.spec.clusterName === metadata.name
}
