import type { HostedCluster, NodePool } from '@windlass/api'
import {
  explainSkew,
  hasCountedMinor,
  isSameImage,
  judgeSkew,
  type Move,
  normalisedMinor,
  type SkewAnswer,
  type SkewPolicy,
  type SkewRange,
  type SkewSource,
  tryParseVersion,
  type Version,
  type VersionWindow,
} from '@windlass/core'
import { planControlPlaneMove, poolVersions, skewWindows } from '@windlass/hosted'

/** Where the nodes of a cluster are, where they may be, and by what that was judged. */
export interface SkewView {
  readonly namespace: string
  readonly name: string
  readonly policy: SkewPolicy
  readonly source: SkewSource
  /** The versions that may run in the control plane, newest update first; absent when that cannot be told. */
  readonly active?: readonly string[]
  /** Where nodes may stay, and where they may go now. */
  readonly tolerated?: WindowView
  readonly safe?: WindowView
  readonly pools: readonly PoolSkew[]
  readonly plan?: PlanView
}

export interface WindowView {
  readonly min: string
  readonly max: string
  readonly isEmpty: boolean
}

export interface PoolSkew {
  readonly name: string
  /** What all of its nodes were last made from. */
  readonly version?: string
  /** Every version that one of its nodes may have. */
  readonly versions: readonly string[]
  readonly verdict: SkewAnswer
  /** It is as old as it may be: the next minor of the control plane may be too far. */
  readonly isAtEdge: boolean
  readonly explanation: string
}

export interface PlanView {
  readonly to: string
  /** Pools that would be unsupported if nothing but the control plane moved. */
  readonly leftBehind: readonly string[]
  readonly moves: readonly { readonly of: Move['of']; readonly pools?: readonly string[]; readonly to: string; readonly because: string }[]
  /** Why the target is not reached, or what stays unsupported. */
  readonly problems: readonly string[]
}

export interface SkewQuestion {
  readonly policy: SkewPolicy
  readonly source: SkewSource
  /** Where the control plane is to go. */
  readonly target?: Version
}

export function skewOf(cluster: HostedCluster, pools: readonly NodePool[], question: SkewQuestion): SkewView {
  const { policy, source, target } = question
  const { namespace = '', name = '' } = cluster.metadata
  const range = skewWindows(cluster, { policy, source })
  const known = pools
    .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    .map((pool) => ({ pool, wanted: wantedBy(pool, cluster) }))
  return {
    namespace,
    name,
    policy,
    source,
    ...(range === undefined
      ? {}
      : { active: range.active.map(({ text }) => text), tolerated: windowOf(range.tolerated), safe: windowOf(range.safe) }),
    pools: known.map((each) => poolSkew(each.pool, poolVersions(each), range)),
    ...(target === undefined ? {} : { plan: planOf(cluster, known, target, question) }),
  }
}

/** Whether somebody should look: nodes are where they may not be, or cannot get to where they should. */
export function isBadSkew({ pools, plan }: SkewView): boolean {
  return pools.some(({ verdict }) => verdict === 'TooOld' || verdict === 'TooNew') || (plan?.problems.length ?? 0) > 0
}

function windowOf({ min, max, isEmpty }: VersionWindow): WindowView {
  return { min, max: max.text, isEmpty }
}

/** No pool is better than its worst node. */
function poolSkew({ metadata: { name = '' }, status }: NodePool, versions: readonly Version[], range: SkewRange | undefined): PoolSkew {
  const verdicts = versions.map((version) => judgeSkew(version, range))
  const worst = verdicts.find(({ answer }) => answer !== 'Supported') ?? verdicts[0]
  const lowest = range?.tolerated.lowestMinor
  return {
    name,
    ...(status?.version === undefined ? {} : { version: status.version }),
    versions: versions.map(({ text }) => text),
    verdict: worst?.answer ?? 'Unknown',
    isAtEdge: versions.some((version) => hasCountedMinor(version) && normalisedMinor(version) === lowest),
    explanation: worst === undefined ? 'the version of its nodes is not known yet' : explainSkew(worst),
  }
}

/** The version of the image that a pool asks for, if its cluster has had it: nobody is asked who may not be there. */
function wantedBy({ spec, status }: NodePool, { status: cluster }: HostedCluster): Version | undefined {
  const updates = [...(cluster?.controlPlaneVersion?.history ?? []), ...(cluster?.version?.history ?? [])]
  const same = updates.find(({ image }) => isSameImage(image, spec.release.image))
  return tryParseVersion(same?.version) ?? tryParseVersion(status?.version)
}

type Known = { readonly pool: NodePool; readonly wanted: Version | undefined }

function planOf(cluster: HostedCluster, pools: readonly Known[], target: Version, { policy, source }: SkewQuestion): PlanView {
  const offered = (cluster.status?.version?.availableUpdates ?? []).flatMap(({ version }) => tryParseVersion(version) ?? [])
  const { leftBehind, moves, problems } = planControlPlaneMove({ cluster, pools, target, skew: { policy, source }, releases: offered })
  const bare = (key: string): string => key.replace(/^.*\//, '')
  return {
    to: target.text,
    leftBehind: leftBehind.map(({ name }) => bare(name)),
    moves: moves.map((move) => ({
      of: move.of,
      ...(move.of === 'nodes' ? { pools: move.groups.map(bare) } : {}),
      to: move.to.text,
      because: move.because,
    })),
    problems,
  }
}
