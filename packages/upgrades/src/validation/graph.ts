import type { ClusterVersion } from '@windlass/api'

/** The answer of the update service: releases, and which leads to which. */
export interface UpdateGraph {
  readonly nodes: readonly { readonly version: string }[]
  /** Pairs of places in `nodes`. */
  readonly edges?: readonly (readonly [from: number, to: number])[]
  readonly conditionalEdges?: readonly { readonly edges: readonly { readonly from: string; readonly to: string }[] }[]
}

const publicService = 'https://api.openshift.com/api/upgrades_info/v1/graph'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Where to ask which updates a channel offers. Undefined when the cluster has no identity that could be told. A cluster of several architectures asks for
 * `multi`; others for that of their nodes.
 */
export function graphUrl(
  { spec, status }: ClusterVersion,
  query: { readonly channel: string; readonly version: string; readonly architecture: string },
): string | undefined {
  const upstream = spec.upstream === undefined || spec.upstream === '' ? publicService : spec.upstream
  if (!uuid.test(spec.clusterID) || !URL.canParse(upstream)) return undefined
  const desired: object | undefined = status?.desired
  const isMulti = desired !== undefined && 'architecture' in desired && desired.architecture === 'Multi'
  const url = new URL(upstream)
  url.searchParams.set('arch', isMulti ? 'multi' : query.architecture)
  url.searchParams.set('channel', query.channel)
  url.searchParams.set('id', spec.clusterID)
  url.searchParams.set('version', query.version)
  return url.href
}

/** Whether one update leads from a version to another; those that carry risks count. Undefined when the graph does not know where we come from. */
export function isReachable({ nodes, edges = [], conditionalEdges = [] }: UpdateGraph, from: string, to: string): boolean | undefined {
  if (!nodes.some(({ version }) => version === from)) return undefined
  if (edges.some(([a, b]) => nodes[a]?.version === from && nodes[b]?.version === to)) return true
  return conditionalEdges.some((group) => group.edges.some((edge) => edge.from === from && edge.to === to))
}
