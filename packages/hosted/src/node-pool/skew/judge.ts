import type { HostedCluster, NodePool } from '@windlass/api'
import {
  explainSkew,
  findCondition,
  hasCountedMinor,
  isFalse,
  isSameImage,
  judgeSkew,
  normalisedMinor,
  tryParseVersion,
} from '@windlass/core'
import type { SkewAnswer, SkewRange, Version } from '@windlass/core'
import { poolVersions } from './planner.ts'

/** Whether the nodes of a pool are where they may be. */
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

/** What is known to be wrong is worse than what is not known. */
const worstFirst: readonly SkewAnswer[] = ['TooOld', 'TooNew', 'Unknown', 'Supported']

/** No pool is better than its worst node. */
export function judgePool(pool: NodePool, cluster: HostedCluster, range: SkewRange | undefined): PoolSkew {
  const { metadata, status } = pool
  const versions = poolVersions({ pool, wanted: wantedBy(pool, cluster) })
  const verdicts = versions.map((version) => judgeSkew(version, range))
  const worst = worstFirst.map((bad) => verdicts.find(({ answer }) => answer === bad)).find((verdict) => verdict !== undefined)
  const lowest = range?.tolerated.lowestMinor
  return {
    name: metadata.name ?? '',
    ...(status?.version === undefined ? {} : { version: status.version }),
    versions: versions.map(({ text }) => text),
    verdict: worst?.answer ?? 'Unknown',
    isAtEdge: versions.some((version) => hasCountedMinor(version) && normalisedMinor(version) === lowest),
    explanation: worst === undefined ? 'the version of its nodes is not known yet' : explainSkew(worst),
  }
}

/**
 * The version of the image that a pool asks for, as far as somebody has looked: its cluster has had it, or its controller is on the way to it. No registry is
 * asked, which may not be there.
 */
export function wantedBy(pool: NodePool, hostedCluster: HostedCluster | undefined): Version | undefined {
  return firstReadable(seenTarget(pool, hostedCluster), pool.status?.version)
}

/** The same for plans, which may go by what the tag of the image says; it is no evidence of what runs. A pool whose image is refused stays where it is. */
export function plannedFor(pool: NodePool, hostedCluster: HostedCluster | undefined): Version | undefined {
  const tagged = isRefused(pool) ? undefined : taggedVersion(pool.spec.release.image)
  return firstReadable(seenTarget(pool, hostedCluster), tagged, pool.status?.version)
}

function firstReadable(...texts: readonly (string | undefined)[]): Version | undefined {
  return texts.map((text) => tryParseVersion(text)).find((version) => version !== undefined)
}

function seenTarget(pool: NodePool, hostedCluster: HostedCluster | undefined): string | undefined {
  const { controlPlaneVersion, version } = hostedCluster?.status ?? {}
  const updates = [...(controlPlaneVersion?.history ?? []), ...(version?.history ?? [])]
  const same = updates.find(({ image }) => isSameImage(image, pool.spec.release.image))
  return same?.version ?? (isRefused(pool) ? undefined : announcedTarget(pool))
}

function isRefused({ status }: NodePool): boolean {
  return isFalse(status?.conditions, 'ValidReleaseImage')
}

/** What the controller of the pool has found out about the image, if it was this one. */
function announcedTarget({ metadata, status }: NodePool): string | undefined {
  const condition = findCondition(status?.conditions, 'UpdatingVersion')
  const isAboutThis = condition?.status === 'True' && condition.observedGeneration === metadata.generation
  return isAboutThis ? /Target version: (\S+)/.exec(condition.message ?? '')?.[1] : undefined
}

/** `4.20.1` of `…/release:4.20.1-x86_64`. */
function taggedVersion(image: string): string | undefined {
  return /:(\d+\.\d+\.\d+[^:@]*?)(?:-(?:x86_64|multi|aarch64|ppc64le|s390x))?$/.exec(image)?.[1]
}
