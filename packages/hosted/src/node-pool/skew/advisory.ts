import type { HostedCluster } from '@windlass/api'
import {
  type ConditionStatus,
  hasCountedMinor,
  InvalidVersionError,
  judgeSkew,
  referenceVersion,
  type SkewAnswer,
  skewRange,
  streamOf,
  tryParseVersion,
  UnsupportedMajorError,
  type Version,
} from '@windlass/core'
import type { Lookup } from '../../hosted-cluster/index.ts'
import type { Release } from '../../releases/index.ts'
import type { NodePoolSettings } from '../settings.ts'

/** What SupportedVersionSkew says. */
export interface Advice {
  readonly status: ConditionStatus
  readonly reason: string
  readonly message: string
}

const supported: Advice = { status: 'True', reason: 'AsExpected', message: 'Release image version is valid' }
const unsupported = (message: string): Advice => ({ status: 'False', reason: 'UnsupportedSkew', message })
const cannotTell = (message: string): Advice => ({ status: 'Unknown', reason: 'ValidationFailed', message })
const notAvailable = cannotTell('HostedCluster version is not available yet, waiting for version information')

/** Whether the release of a pool is near enough to its control plane. Advice: nothing is held up by it. */
export function advisorySkew(
  cluster: HostedCluster,
  release: Lookup<Pick<Release, 'version'>>,
  { source, policy }: NodePoolSettings['skew'],
): Advice {
  const reference = referenceVersion(cluster.status ?? {}, source)
  if (reference === undefined) return notAvailable
  if (release.is === 'failed') return cannotTell(`Failed to get release image: ${release.problem}`)
  const controlPlane = counted(reference)
  if (typeof controlPlane === 'string') return cannotTell(`Failed to parse control plane version (${reference}): ${controlPlane}`)
  const nodes = counted(release.value.version)
  if (typeof nodes === 'string') return cannotTell(`Failed to parse NodePool version (${release.value.version}): ${nodes}`)
  const range = skewRange([controlPlane], policy)
  const answers: Readonly<Record<SkewAnswer, Advice>> = {
    Supported: supported,
    TooNew: unsupported(`NodePool version ${nodes.text} cannot be higher than the HostedCluster version ${controlPlane.text}`),
    TooOld: unsupported(
      `NodePool minor version ${streamOf(nodes)} is less than ${range?.tolerated.min ?? ''}, which is the minimum NodePool version compatible with the ${streamOf(controlPlane)} HostedCluster`,
    ),
    Unknown: notAvailable,
  }
  return answers[judgeSkew(nodes, range).answer]
}

/** The version, or what is wrong with it. */
function counted(text: string): Version | string {
  const version = tryParseVersion(text)
  if (version === undefined) return new InvalidVersionError(text).message
  return hasCountedMinor(version) ? version : new UnsupportedMajorError(version.major).message
}
