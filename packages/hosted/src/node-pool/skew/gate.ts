import type { HostedCluster, NodePool } from '@windlass/api'
import {
  completedVersion,
  hasCountedMinor,
  minorDistance,
  normalisedMinor,
  parseVersion,
  type SkewSource,
  tryParseVersion,
  UnsupportedMajorError,
  type Version,
} from '@windlass/core'
import type { Lookup } from '../../hosted-cluster/index.ts'
import type { Release } from '../../releases/index.ts'
import { ClusterAnnotation } from '../wire.ts'

/** What we know how to run. */
export const latestSupported: Version = parseVersion('5.1.0')
export const minimumSupported: Version = parseVersion('4.14.0')

const lowestEver = parseVersion('4.8.0')
const lastMinorOfSdn = 10

export interface GateRequest {
  readonly pool: NodePool
  readonly cluster: HostedCluster
  readonly release: Lookup<Release>
  readonly clusterRelease: Lookup<Release>
  readonly source: SkewSource
}

interface Facts {
  readonly cluster: HostedCluster
  readonly platform: string
  readonly wanted: Version
  readonly current: Version | undefined
  readonly max: Version
}

/** The first one that has something to say decides. */
const checks: readonly ((facts: Facts) => string | undefined)[] = [
  ({ wanted }) => (isBelow(wanted, lowestEver) ? `releases before 4.8 are not supported. Attempting to use: "${wanted.text}"` : undefined),
  ({ wanted, current }) =>
    current !== undefined && minorDistance(current, wanted) < 0
      ? `y-stream downgrade from "${current.text}" to "${wanted.text}" is not supported`
      : undefined,
  ({ cluster, wanted, current }) =>
    current !== undefined && networkOf(cluster) === 'OpenShiftSDN' && minorDistance(current, wanted) > 0
      ? `y-stream upgrade from "${current.text}" to "${wanted.text}" is not for OpenShiftSDN`
      : undefined,
  ({ cluster, platform, wanted, current }) => (current === undefined ? networkProblem(networkOf(cluster), platform, wanted) : undefined),
  ({ wanted, max }) =>
    isBelow(max, wanted) ? `the latest version supported is: "${shown(max)}". Attempting to use: "${wanted.text}"` : undefined,
  ({ platform, wanted }) =>
    isBelow(wanted, minimumSupported)
      ? `the minimum version supported for platform ${platform} is: "${shown(minimumSupported)}". Attempting to use: "${wanted.text}"`
      : undefined,
]

/**
 * Why a pool may not go to its release now; undefined when it may.
 *
 * Minors are compared and nothing else: a patch above that of the control plane passes here, and is only advised against. Several minors at once are
 * allowed upwards, because nodes are made anew and do not pass through those between.
 */
export function releaseGate({ pool, cluster, release, clusterRelease, source }: GateRequest): string | undefined {
  if (release.is === 'failed') return release.problem
  if (cluster.metadata.annotations?.[ClusterAnnotation.skipReleaseImageValidation] !== undefined) return undefined
  const wanted = tryParseVersion(release.value.version)
  if (wanted === undefined) return `the release says that it is "${release.value.version}", which is no version`
  const current = tryParseVersion(pool.status?.version)
  for (const version of [wanted, ...(current === undefined ? [] : [current])]) {
    if (!hasCountedMinor(version)) return new UnsupportedMajorError(version.major).message
  }
  const max = highestAllowed(cluster, clusterRelease, source)
  if (typeof max === 'string') return max
  const facts: Facts = { cluster, platform: pool.spec.platform.type, wanted, current, max }
  for (const check of checks) {
    const problem = check(facts)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** How far the control plane has got; while it is being installed, where it is going. Or why that cannot be told. */
function highestAllowed(cluster: HostedCluster, release: Lookup<Release>, source: SkewSource): Version | string {
  const completed = completedVersion(cluster.status ?? {}, source)
  if (completed === undefined && release.is === 'failed') return `the release of the HostedCluster: ${release.problem}`
  const text = completed ?? (release.is === 'found' ? release.value.version : '')
  const version = tryParseVersion(text)
  if (version === undefined) return `the version "${text}" of the HostedCluster cannot be read`
  if (!hasCountedMinor(version)) return new UnsupportedMajorError(version.major).message
  return isBelow(latestSupported, version) ? latestSupported : version
}

function isBelow(a: Version, b: Version): boolean {
  return normalisedMinor(a) < normalisedMinor(b)
}

function networkOf({ spec }: HostedCluster): string {
  return spec.networking.networkType ?? 'OVNKubernetes'
}

function networkProblem(network: string, platform: string, wanted: Version): string | undefined {
  const isOld = normalisedMinor(wanted) <= lastMinorOfSdn
  if (network === 'OpenShiftSDN' && !isOld && platform !== 'PowerVS') {
    return `cannot use OpenShiftSDN with OCP version "${wanted.text}" > 4.10`
  }
  return network === 'OVNKubernetes' && isOld ? `cannot use OVNKubernetes with OCP version "${wanted.text}" < 4.11` : undefined
}

function shown({ text }: Version): string {
  return text.replace(/\.0$/, '')
}
