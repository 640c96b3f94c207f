import { Secret } from '@windlass/api'
import type { HostedCluster } from '@windlass/api'
import {
  findCondition,
  formatNormalisedMinor,
  hasCountedMinor,
  minorDistance,
  normalisedMinor,
  tryParseVersion,
  UnsupportedMajorError,
} from '@windlass/core'
import type { Release as RunningRelease, Version } from '@windlass/core'
import { InvalidPullSecretError, parsePullSecret, payloadArch } from '../releases/index.ts'
import type { ObservedHostedCluster } from './observed.ts'
import { controlPlaneImageOf, isSamePayload, releaseAt } from './release-images.ts'
import type { Releases } from './release-images.ts'
import { asExpected, isNot } from './verdict.ts'
import type { Verdict } from './verdict.ts'
import type { VersionStatus } from './version.ts'
import { Annotation } from './wire.ts'

/** The newest minor that this build knows how to run, as it is counted: 5.1. */
const latestMinor = normalisedMinor({ major: 5, minor: 1 })
const minimumMinor = normalisedMinor({ major: 4, minor: 14 })
const firstMinor = 8
const lastMinorOfSdn = 10

/** What runs: the baseline that a downgrade is told by. */
export interface Running {
  /** What the guest reports, or what stands in for it. */
  readonly version: VersionStatus
  readonly controlPlaneVersion: NonNullable<HostedCluster['status']>['controlPlaneVersion']
}

/** A release that is asked for, next to the one that runs; undefined on a new cluster and when the image is unchanged. */
interface Judged {
  readonly cluster: HostedCluster
  readonly target: Version
  readonly current: Version | undefined
  readonly isSequenceEnforced: boolean
}

type Check = (judged: Judged) => string | undefined

/** In the order in which they are told. */
const checks: readonly Check[] = [
  ({ target }) => (hasCountedMinor(target) ? undefined : new UnsupportedMajorError(target.major).message),
  ({ target }) => (minorOf(target) < firstMinor ? `releases before 4.8 are not supported. Attempting to use: "${target.text}"` : undefined),
  ({ target, current }) =>
    current !== undefined && minorDistance(current, target) < 0
      ? `y-stream downgrade from "${current.text}" to "${target.text}" is not supported`
      : undefined,
  ({ cluster, target, current }) =>
    networkTypeOf(cluster) === 'OpenShiftSDN' && current !== undefined && minorDistance(current, target) > 0
      ? `y-stream upgrade from "${current.text}" to "${target.text}" is not for OpenShiftSDN`
      : undefined,
  ({ cluster, target, current }) => (current === undefined ? networkProblem(cluster, target) : undefined),
  ({ target }) =>
    minorOf(target) > latestMinor
      ? `the latest version supported is: "${formatNormalisedMinor(latestMinor)}". Attempting to use: "${target.text}"`
      : undefined,
  ({ cluster, target }) =>
    minorOf(target) < minimumMinor
      ? `the minimum version supported for platform ${cluster.spec.platform.type} is: "${formatNormalisedMinor(minimumMinor)}". Attempting to use: "${target.text}"`
      : undefined,
  ({ target, current, isSequenceEnforced }) => (isSequenceEnforced && current !== undefined ? skipProblem(current, target) : undefined),
]

/**
 * The condition ValidReleaseImage. One that holds for this generation is not judged again: a registry that is down must not make a release invalid
 * that was valid a minute ago.
 */
export function validReleaseImage(observed: ObservedHostedCluster, running: Running): Verdict {
  const { cluster } = observed
  if (cluster.metadata.annotations?.[Annotation.skipReleaseImageValidation] !== undefined) return asExpected('Release image is valid')
  const before = findCondition(cluster.status?.conditions, 'ValidReleaseImage')
  if (before?.status === 'True' && before.observedGeneration === cluster.metadata.generation) {
    return { status: 'True', reason: before.reason, message: before.message }
  }
  const secretProblem = pullSecretProblem(observed)
  if (secretProblem !== undefined) return isNot('SecretNotFound', secretProblem)
  const problem = imageProblem(observed, running)
  if (problem !== undefined) return isNot('InvalidImage', problem)
  return archVerdict(observed) ?? asExpected('Release image is valid')
}

/** Why registries cannot be asked; undefined when they can. */
export function pullSecretProblem({ cluster, objects }: ObservedHostedCluster): string | undefined {
  const { namespace = '' } = cluster.metadata
  const name = cluster.spec.pullSecret.name ?? ''
  const secret = objects.find(Secret, { namespace, name })
  if (secret === undefined) return `pull secret ${namespace}/${name} not found; create it or correct spec.pullSecret.name`
  const config = secret.data?.['.dockerconfigjson']
  if (config === undefined) return `pull secret ${namespace}/${name} must have a .dockerconfigjson key`
  try {
    parsePullSecret(Buffer.from(config, 'base64').toString())
    return undefined
  } catch (error) {
    if (error instanceof InvalidPullSecretError) return `pull secret ${namespace}/${name} is malformed: ${error.message}`
    throw error
  }
}

/** Both releases are judged, each against what runs of it. They may be one. */
function imageProblem(observed: ObservedHostedCluster, { version, controlPlaneVersion }: Running): string | undefined {
  const { cluster } = observed
  // Before the guest reports anything, the release of the control plane stands in for its own.
  const isStandIn = version.desired.version === '' && cluster.spec.controlPlaneRelease !== undefined
  const guest = isStandIn ? undefined : version.desired
  const isSequenceEnforced = observed.management.enforcesSequentialMinors
  return (
    releaseProblem(observed, controlPlaneImageOf(cluster), controlPlaneVersion?.desired ?? guest, isSequenceEnforced) ??
    releaseProblem(observed, cluster.spec.release.image, guest, false)
  )
}

function releaseProblem(
  { cluster, releases }: ObservedHostedCluster,
  image: string,
  running: RunningRelease | undefined,
  isSequenceEnforced: boolean,
): string | undefined {
  const release = releaseAt(releases, image)
  if (release.is === 'failed') return `failed to lookup release image: ${release.problem}`
  const target = tryParseVersion(release.value.version)
  if (target === undefined)
    return `failed to lookup release image: ${image} says that it is "${release.value.version}", which is no version`
  let current: Version | undefined
  if (running !== undefined && running.image !== '' && !isSamePayload(releases, running.image, image)) {
    current = versionOf(releases, running)
    if (current === undefined) return `failed to lookup release image: nothing tells which version the current release ${running.image} is`
    if (!hasCountedMinor(current)) return new UnsupportedMajorError(current.major).message
  }
  for (const check of checks) {
    const problem = check({ cluster, target, current, isSequenceEnforced })
    if (problem !== undefined) return problem
  }
  return undefined
}

function versionOf(releases: Releases, { version, image }: RunningRelease): Version | undefined {
  if (version !== '') return tryParseVersion(version)
  const release = releaseAt(releases, image)
  return release.is === 'found' ? tryParseVersion(release.value.version) : undefined
}

function archVerdict({ cluster, releases }: ObservedHostedCluster): Verdict | undefined {
  const { image } = cluster.spec.release
  const release = releaseAt(releases, image)
  if (release.is === 'failed' || payloadArch(release.value) !== undefined) return undefined
  return isNot('PayloadArchNotFound', `release image ${image} is for ${release.value.architecture}, on which no hosted cluster runs`)
}

/** What people are told when a control plane is to skip minors; undefined when it does not, or when nobody can tell. */
export function skippedMinors({ cluster, releases }: ObservedHostedCluster, running: string | undefined): string | undefined {
  const release = releaseAt(releases, controlPlaneImageOf(cluster))
  const current = tryParseVersion(running)
  const target = release.is === 'found' ? tryParseVersion(release.value.version) : undefined
  return current === undefined || target === undefined ? undefined : skipProblem(current, target)
}

function skipProblem(current: Version, target: Version): string | undefined {
  if (!hasCountedMinor(current) || !hasCountedMinor(target) || minorDistance(current, target) <= 1) return undefined
  const next = formatNormalisedMinor(normalisedMinor(current) + 1)
  return `release ${target.text} skips ${next}: the control plane runs ${current.text} and should move one minor at a time. Next: ${next}.z`
}

function networkProblem(cluster: HostedCluster, target: Version): string | undefined {
  const type = networkTypeOf(cluster)
  const isOld = minorOf(target) <= lastMinorOfSdn
  if (type === 'OpenShiftSDN' && !isOld && cluster.spec.platform.type !== 'PowerVS') {
    return `cannot use OpenShiftSDN with OCP version "${target.text}" > 4.10`
  }
  return type === 'OVNKubernetes' && isOld ? `cannot use OVNKubernetes with OCP version "${target.text}" < 4.11` : undefined
}

function networkTypeOf({ spec }: HostedCluster): string {
  return spec.networking.networkType ?? 'OVNKubernetes'
}

function minorOf(version: Version): number {
  return normalisedMinor(version)
}
