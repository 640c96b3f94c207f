import { ClusterVersion } from '@windlass/api'
import { findCondition, type Instant, parseTime, tryParseVersion } from '@windlass/core'
import { injected, type Injection } from '../injections/index.ts'
import { type Settings, takes } from '../settings.ts'
import { type Release, releaseOf } from '../updates/index.ts'
import { say, type Said } from './condition.ts'
import { type Acceptance, hasEverCompleted, isAbout } from './history.ts'
import { describeChecks, failedChecks } from './preconditions.ts'

/** What is to be applied, and what is said about what was asked for. */
export interface Request extends Acceptance {
  readonly release: Release
  readonly accepted: Said
  /** Why the spec makes no sense; nothing that it asks for is done then. */
  readonly invalid?: string
  /** When there is more to say. */
  readonly at?: Instant
}

const usual: Acceptance = { verified: true, risks: '' }

/**
 * What becomes of `spec.desiredUpdate`. A release is fetched and checked first; until that is done, and for ever when it is refused, the cluster stays at what it has, and
 * its history says nothing about it. Undefined when nothing is known to install.
 */
export function considered(
  clusterVersion: ClusterVersion,
  settings: Settings,
  injections: readonly Injection<'ClusterVersion'>[],
  now: Instant,
): Request | undefined {
  const { spec, status } = clusterVersion
  if (status === undefined) return installing(spec.desiredUpdate)
  const current: Request = { ...usual, release: status.desired, accepted: loaded(status.desired) }
  const { version = '', image = '' } = spec.desiredUpdate ?? {}
  // During an installation a new target is not looked at.
  if ((version === '' && image === '') || !hasEverCompleted(status.history ?? [])) return current
  const release = resolved(clusterVersion, settings)
  if (release === undefined) return { ...current, invalid: unavailable(version) }
  return isAbout({ version: status.desired.version, image: status.desired.image }, release)
    ? current
    : judged(clusterVersion, release, settings, injections, now)
}

export function loaded({ version, image }: Release): Said {
  return say('ReleaseAccepted', 'True', 'PayloadLoaded', `Payload loaded ${named(version, image)} architecture="amd64"`)
}

/** From asked for to accepted or refused. The time of the condition tells since when it is being fetched; what it says, which release is meant. */
function judged(
  clusterVersion: ClusterVersion,
  release: Release,
  settings: Settings,
  injections: readonly Injection<'ClusterVersion'>[],
  now: Instant,
): Request {
  const { spec, status } = clusterVersion
  const stay = { ...usual, release: status?.desired ?? release }
  const which = named(release.version, release.image)
  const before = findCondition(status?.conditions, 'ReleaseAccepted')
  const isMeant = before?.message?.includes(which) === true
  const retrieving = say('ReleaseAccepted', 'Unknown', 'RetrievePayload', `Retrieving and verifying payload ${which}`)
  const length = takes(settings, 'retrieve', `${spec.clusterID}/${release.image}`)
  const verdict = verdictOn(clusterVersion, release, injections)
  if (isMeant && before.status === 'False' && 'refused' in verdict) return { ...stay, accepted: verdict.refused }
  if (!isMeant || before.status !== 'Unknown') return { ...stay, accepted: retrieving, at: now + length }
  const at = (parseTime(before.lastTransitionTime) ?? now) + length
  if (at > now) return { ...stay, accepted: retrieving, at }
  return 'refused' in verdict ? { ...stay, accepted: verdict.refused } : { ...verdict, release, accepted: loaded(release) }
}

/** `force` goes past what may be gone past: an image that is not there cannot be applied by anybody. */
function verdictOn(
  clusterVersion: ClusterVersion,
  release: Release,
  injections: readonly Injection<'ClusterVersion'>[],
): Acceptance | { readonly refused: Said } {
  const isForced = clusterVersion.spec.desiredUpdate?.force === true
  const which = named(release.version, release.image)
  const refused = (reason: string, message: string) => ({ refused: say('ReleaseAccepted', 'False', reason, message) })
  if (injected(injections, 'payload-unavailable') !== undefined || release.version === '')
    return refused(
      'RetrievePayload',
      `Retrieving payload failed ${which} failure: Unable to download and prepare the update: the image cannot be pulled`,
    )
  if (injected(injections, 'payload-broken') !== undefined)
    return refused('LoadPayload', `Loading payload failed ${which} failure: the manifests of the release cannot be read`)
  const isUnverified = injected(injections, 'payload-unverified') !== undefined
  const unverified = 'the image may not be safe to use: no signature of it can be verified'
  if (isUnverified && !isForced) return refused('VerifyPayloadVersion', `Verifying payload failed ${which} failure: ${unverified}`)
  const checks = failedChecks({ clusterVersion, release, injections })
  if (!isForced && checks.some(({ isBlocking }) => isBlocking)) {
    const blocking = checks.filter(({ isBlocking }) => isBlocking)
    return refused('PreconditionChecks', `Preconditions failed for payload loaded ${which}: ${describeChecks(blocking)}`)
  }
  const risks = [...(isUnverified ? [unverified] : []), ...(checks.length === 0 ? [] : [describeChecks(checks)])].join('\n')
  return { verified: !isUnverified, risks }
}

/** The release that is asked for. A version alone must be on offer; an image is taken for what is known of it, or for what its tag says. */
function resolved({ spec, status }: ClusterVersion, settings: Settings): Release | undefined {
  const { version = '', image = '' } = spec.desiredUpdate ?? {}
  const offered = [
    ...(status === undefined ? [] : [status.desired]),
    ...(status?.availableUpdates ?? []),
    ...(status?.conditionalUpdates ?? []).map(({ release }) => release),
  ]
  if (image === '') return offered.find((release) => release.version === version)
  const released = settings.updates?.(spec.channel ?? '').nodes.map(releaseOf) ?? []
  return (
    [...offered, ...released].find((release) => release.image === image) ?? {
      version: version === '' ? versionInTag(image) : version,
      image,
    }
  )
}

/** Of a cluster that has nothing yet, both must be said. */
function installing(desired: ClusterVersion['spec']['desiredUpdate']): Request | undefined {
  const { version = '', image = '' } = desired ?? {}
  if (image === '') return undefined
  const release = { version: version === '' ? versionInTag(image) : version, image }
  return { ...usual, release, accepted: loaded(release) }
}

function named(version: string, image: string): string {
  return `version="${version}" image="${image}"`
}

/** `4.20.1` of `example.com/release:4.20.1-x86_64`; empty when there is no version in it. */
function versionInTag(image: string): string {
  const tag = /:([^/:@]+?)(?:-(?:x86_64|aarch64|multi|ppc64le|s390x))?$/.exec(image)?.[1]
  return tryParseVersion(tag)?.text ?? ''
}

function unavailable(version: string): string {
  return `spec.desiredUpdate.version: Invalid value: "${version}": when image is empty the update must be a possible version or an available update`
}
