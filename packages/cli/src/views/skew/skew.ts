import type { HostedCluster, NodePool } from '@windlass/api'
import { type Move, type SkewPolicy, type SkewSource, tryParseVersion, type Version, type VersionWindow } from '@windlass/core'
import { judgePool, planControlPlaneMove, plannedFor, type PoolSkew, skewWindows } from '@windlass/hosted'

/** Where the nodes of a cluster are, where they may be, and by what that was judged. */
export interface SkewView {
  /** Where several are asked. */
  readonly member?: string
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
    .map((pool) => ({ pool, wanted: plannedFor(pool, cluster) }))
  return {
    namespace,
    name,
    policy,
    source,
    ...(range === undefined
      ? {}
      : { active: range.active.map(({ text }) => text), tolerated: windowOf(range.tolerated), safe: windowOf(range.safe) }),
    pools: known.map(({ pool }) => judgePool(pool, cluster, range)),
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
