import type { HostedCluster, NodePool } from '@windlass/api'
import {
  activeVersionsOf,
  explainSkew,
  judgeSkew,
  type MovePlan,
  type NodeGroup,
  planMoves,
  type SkewRange,
  skewRange,
  tryParseVersion,
  type Version,
} from '@windlass/core'
import { poolKeyOf } from '../names.ts'
import type { NodePoolSettings } from '../settings.ts'

/** A pool, and the version that it asks for, if that is known. */
export interface PoolWithTarget {
  readonly pool: NodePool
  readonly wanted: Version | undefined
}

/** Where the pools of a cluster may be, and where they may go now. Undefined when the versions of the control plane are not known. */
export function skewWindows(cluster: HostedCluster, { source, policy }: NodePoolSettings['skew']): SkewRange | undefined {
  return skewRange(activeVersionsOf(cluster.status ?? {}, source), policy)
}

/** Every version that a node of the pool may have: the one that it completed last, and the one that it is going to. */
export function poolVersions({ pool, wanted }: PoolWithTarget): readonly Version[] {
  const running = (pool.status?.nodesInfo?.nodeVersions ?? []).map(({ ocpVersion }) => ocpVersion)
  const versions = [pool.status?.version, ...running].flatMap((text) => tryParseVersion(text) ?? [])
  const all = wanted === undefined ? versions : [...versions, wanted]
  return [...new Map(all.map((version) => [version.text, version])).values()]
}

export interface ControlPlaneMove {
  readonly cluster: HostedCluster
  readonly pools: readonly PoolWithTarget[]
  /** Where the control plane is to go. */
  readonly target: Version
  readonly skew: NodePoolSettings['skew']
  readonly releases?: readonly Version[]
  readonly concurrency?: number
  readonly poolsFollow?: 'needed' | 'all'
}

/** Which pools a control plane at the target would leave behind, and the order of moves in which it leaves none. Pools are named by their keys. */
export function planControlPlaneMove({
  cluster,
  pools,
  target,
  skew,
  releases = [],
  concurrency,
  poolsFollow = 'needed',
}: ControlPlaneMove): MovePlan {
  return planMoves({
    active: activeVersionsOf(cluster.status ?? {}, skew.source) ?? [],
    target,
    groups: pools.map(groupOf),
    policy: skew.policy,
    releases,
    groupsFollow: poolsFollow,
    ...(concurrency === undefined ? {} : { concurrency }),
  })
}

/** One sentence for each pool that an update of the control plane to the target would leave behind. */
export function leftBehindWarnings(move: ControlPlaneMove): readonly string[] {
  const range = skewRange([move.target], move.skew.policy)
  return planControlPlaneMove(move).leftBehind.map(({ name, versions }) => {
    const verdict = versions.map((version) => judgeSkew(version, range)).find(({ answer }) => answer === 'TooOld')
    const why = verdict === undefined ? '' : `: ${explainSkew(verdict)}`
    return `NodePool ${name} would be left behind by a control plane at ${move.target.text}${why}. Upgrade the pool first.`
  })
}

function groupOf(pool: PoolWithTarget): NodeGroup {
  return { name: poolKeyOf(pool.pool), versions: poolVersions(pool) }
}
