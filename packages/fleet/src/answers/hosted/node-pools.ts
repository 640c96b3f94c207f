import type { HostedCluster, NodePool } from '@windlass/api'
import { type Duration, findCondition, isFalse, leftBehind, parseTime, type SkewRange, tryParseVersion } from '@windlass/core'
import { healthyConditions, judgePool, poolVersions, wantedBy } from '@windlass/hosted'
import type { NodeCount, PoolView, SkewVerdict } from '../../contract/index.ts'
import { conditionsOf } from '../conditions.ts'
import type { Moments } from '../moments.ts'
import { nextMinor } from '../skew.ts'
import { newestFirst, VersionTally } from '../versions.ts'

/** What a pool is asked about, with its cluster at hand. */
export interface PoolLook {
  readonly hostedCluster: HostedCluster
  readonly range: SkewRange | undefined
  readonly threshold: Duration
  readonly moments: Moments
}

const updating = ['UpdatingVersion', 'UpdatingConfig', 'UpdatingPlatformMachineTemplate'] as const

/** When the update of a pool began; undefined when none is under way. */
export function updatingSince({ status }: NodePool): { readonly time: string } | undefined {
  const times = updating.flatMap((type) => {
    const condition = findCondition(status?.conditions, type)
    return condition?.status === 'True' ? [condition.lastTransitionTime] : []
  })
  return times.length === 0 ? undefined : { time: times.reduce((a, b) => (b < a ? b : a)) }
}

/**
 * How the update of a pool is getting on, in the words that a control plane has.
 *
 * A pool is moved machine by machine, so that a large one takes long without anything being wrong: it may take the threshold, and a sixth of it for each node.
 */
export function poolState(pool: NodePool, { threshold, moments }: Pick<PoolLook, 'threshold' | 'moments'>): PoolView['state'] {
  const since = updatingSince(pool)
  const { conditions, version } = pool.status ?? {}
  if (since === undefined) return (version ?? '') === '' ? 'Unknown' : 'Completed'
  if (isFalse(conditions, 'ReconciliationActive')) return 'Paused'
  const started = parseTime(since.time)
  const allowed = threshold * (1 + wantedNodes(pool) / 6)
  return started !== undefined && moments.isAfter(started + allowed) ? 'Stalled' : 'Progressing'
}

/** How many nodes it should have. An autoscaled one has as many as it has, and at least its minimum. */
export function wantedNodes({ spec, status }: NodePool): number {
  if (spec.autoScaling === undefined) return spec.replicas ?? 0
  return Math.max(spec.autoScaling.min ?? 0, status?.replicas ?? 0)
}

/** The nodes of all pools together; of those that are known, where not all are. */
export function nodesOf(pools: readonly NodePool[], unreadPools?: string): NodeCount {
  const versions = new VersionTally()
  let [wanted, ready] = [0, 0]
  for (const pool of pools) {
    wanted += wantedNodes(pool)
    const told = pool.status?.nodesInfo?.nodeVersions
    if (told === undefined) {
      // Its machines are counted, but nobody has said what they run.
      const available = pool.status?.replicas ?? 0
      ready += available
      versions.add('', available)
      continue
    }
    for (const { ocpVersion, readyNodeCount, unreadyNodeCount } of told) {
      ready += readyNodeCount
      versions.add(ocpVersion, readyNodeCount + unreadyNodeCount)
    }
  }
  return { wanted, ready, versions: versions.list(), ...(unreadPools === undefined ? {} : { unknownBecause: unreadPools }) }
}

/** Versions that nodes of the pool have, as far as they have said; newest first. */
export function runningVersions({ status }: NodePool): readonly string[] {
  const told = (status?.nodesInfo?.nodeVersions ?? []).map(({ ocpVersion }) => ocpVersion)
  const all = new Set([...(status?.version === undefined ? [] : [status.version]), ...told])
  all.delete('')
  return [...all].toSorted(newestFirst)
}

/** The verdict of `windlass skew`, and whether the next minor of the control plane would leave the pool behind. */
export function skewOf(pool: NodePool, { hostedCluster, range }: Pick<PoolLook, 'hostedCluster' | 'range'>): SkewVerdict {
  const { verdict } = judgePool(pool, hostedCluster, range)
  if (verdict === 'Unknown' || range === undefined) return 'Unknown'
  if (verdict !== 'Supported') return 'Violated'
  const versions = poolVersions({ pool, wanted: wantedBy(pool, hostedCluster) })
  return leftBehind([{ name: '', versions }], nextMinor(range.highest), range.policy).length > 0 ? 'AtLimit' : 'Allowed'
}

const worstSkewFirst: readonly SkewVerdict[] = ['Violated', 'AtLimit', 'Unknown', 'Allowed']

/** The worst of several. Without any pool nothing is in anybody's way. */
export function worstSkew(verdicts: readonly SkewVerdict[]): SkewVerdict {
  return worstSkewFirst.find((verdict) => verdicts.includes(verdict)) ?? 'Allowed'
}

/** A pool as it is shown. */
export function poolView(pool: NodePool, look: PoolLook): PoolView {
  const { metadata, spec, status } = pool
  const { hostedCluster, range } = look
  const told = status?.nodesInfo?.nodeVersions
  const desired = targetOf(pool) ?? wantedBy(pool, hostedCluster)?.text
  const updated = desired === undefined ? undefined : told?.filter(({ ocpVersion }) => isSame(ocpVersion, desired))
  return {
    name: metadata.name ?? '',
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    ...(status?.version === undefined || status.version === '' ? {} : { version: status.version }),
    ...(desired === undefined ? {} : { desired }),
    state: poolState(pool, look),
    upgradeType: spec.management.upgradeType,
    wanted: wantedNodes(pool),
    ready: nodesOf([pool]).ready,
    ...(updated === undefined ? {} : { updated: updated.reduce((sum, { readyNodeCount }) => sum + readyNodeCount, 0) }),
    skew: skewOf(pool, look),
    skewReason: judgePool(pool, hostedCluster, range).explanation,
    ...(range === undefined ? {} : { allowed: { from: range.tolerated.min, to: range.tolerated.max.text } }),
    conditions: conditionsOf(status?.conditions, healthyConditions(pool)),
  }
}

function isSame(a: string, b: string): boolean {
  return tryParseVersion(a)?.text === tryParseVersion(b)?.text
}

/** The pool names its release by an image; what version that is, it says while it goes there. */
function targetOf({ status }: NodePool): string | undefined {
  const condition = findCondition(status?.conditions, 'UpdatingVersion')
  return condition?.status === 'True' ? /Target version: (\S+)/.exec(condition.message ?? '')?.[1] : undefined
}
