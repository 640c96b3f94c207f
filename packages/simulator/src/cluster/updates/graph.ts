import type { ClusterVersion } from '@windlass/api'
import { compareSemver, tryParseVersion } from '@windlass/core'

/** Which updates there are in a channel, in the form that update services answer in: edges are pairs of positions in `nodes`. */
export interface ChannelGraph {
  readonly nodes: readonly { readonly version: string; readonly payload: string; readonly metadata: Readonly<Record<string, string>> }[]
  readonly edges: readonly (readonly [number, number])[]
  readonly conditionalEdges?: readonly {
    readonly edges: readonly { readonly from: string; readonly to: string }[]
    readonly risks: readonly Risk[]
  }[]
}

export interface Risk {
  readonly name: string
  readonly message: string
  readonly url: string
  readonly matchingRules: readonly { readonly type: 'Always' }[]
}

/** Answers as an update service does. Must give the same graph for the same channel as long as nothing was released. */
export type UpdateService = (channel: string) => ChannelGraph

type Status = NonNullable<ClusterVersion['status']>
export type Release = Status['desired']
export type ConditionalUpdate = NonNullable<Status['conditionalUpdates']>[number]

/** What a channel has to offer a cluster. */
export interface Offer {
  readonly available: readonly Release[]
  readonly conditional: readonly ConditionalUpdate[]
  /** Whether the channel knows the version that the cluster has. */
  readonly isKnown: boolean
}

/** What can be gone to from a version: newest first, as the version operator lists them. An update that has a risk is not among the ordinary ones. */
export function offerTo(version: string, graph: ChannelGraph): Offer {
  const position = graph.nodes.findIndex((node) => node.version === version)
  const risky = new Map<string, Risk[]>()
  for (const { edges, risks } of graph.conditionalEdges ?? [])
    for (const { from, to } of edges) if (from === version) risky.set(to, [...(risky.get(to) ?? []), ...risks])
  const releases = new Map(graph.nodes.map((node) => [node.version, releaseOf(node)]))
  const ordinary = graph.edges.flatMap(([from, to]) => (from === position ? (graph.nodes[to]?.version ?? []) : []))
  return {
    available: ordinary.flatMap((to) => (risky.has(to) ? [] : (releases.get(to) ?? []))).sort(newestFirst),
    conditional: [...risky]
      .flatMap(([to, risks]): ConditionalUpdate[] => {
        const release = releases.get(to)
        return release === undefined ? [] : [{ release, risks }]
      })
      .sort((a, b) => newestFirst(a.release, b.release)),
    isKnown: position >= 0,
  }
}

const channelsKey = 'io.openshift.upgrades.graph.release.channels'

export function releaseOf({ version, payload, metadata }: ChannelGraph['nodes'][number]): Release {
  const { url, [channelsKey]: channels } = metadata
  return {
    version,
    image: payload,
    ...(url === undefined ? {} : { url }),
    ...(channels === undefined || channels === '' ? {} : { channels: channels.split(',').sort() }),
  }
}

/** What is no version stays where it is. */
function newestFirst(a: Release, b: Release): number {
  const [left, right] = [tryParseVersion(a.version), tryParseVersion(b.version)]
  return left === undefined || right === undefined ? 0 : compareSemver(right, left)
}
