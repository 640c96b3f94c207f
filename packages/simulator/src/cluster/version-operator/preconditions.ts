import type { ClusterVersion } from '@windlass/api'
import { compareVersions, findCondition, hasCountedMinor, isFalse, isSameStream, minorDistance, tryParseVersion } from '@windlass/core'
import { injected, type Injection } from '../injections/index.ts'
import type { Release } from '../updates/index.ts'

/** A check that a release fails before it is applied. */
export interface FailedCheck {
  readonly name: string
  readonly reason: string
  readonly message: string
  /** Others are only put on record. */
  readonly isBlocking: boolean
}

interface Candidate {
  readonly clusterVersion: ClusterVersion
  readonly release: Release
  readonly injections: readonly Injection<'ClusterVersion'>[]
}

/** Checks that a release fails which a cluster is asked to go to. */
export function failedChecks(candidate: Candidate): readonly FailedCheck[] {
  return [rollback, giantHop, upgradeable, recommended, asAsked].flatMap((check) => check(candidate) ?? [])
}

/** As `ReleaseAccepted` tells it, and as the history keeps it when it was overridden. */
export function describeChecks(checks: readonly FailedCheck[]): string {
  const texts = checks.map(({ name, reason, message }) => `Precondition "${name}" failed because of "${reason}": ${message}`)
  return texts.length <= 1 ? texts.join('') : `Multiple precondition checks failed:${texts.map((text) => `\n* ${text}`).join('')}`
}

type Check = (candidate: Candidate) => FailedCheck | undefined

/** The only way back is to where the cluster came from, within the same minor. */
const rollback: Check = ({ clusterVersion: { status }, release }) => {
  const [current, target] = [tryParseVersion(status?.desired.version), tryParseVersion(release.version)]
  if (current === undefined || target === undefined || compareVersions(target, current) >= 0) return undefined
  const previous = status?.history?.find(({ version }) => version !== current.text)?.version
  if (target.text === previous && isSameStream(current, target)) return undefined
  const only = `the only supported rollback is to the cluster's previous version ${previous ?? '(none)'}, within the same minor`
  return blocking(
    'ClusterVersionRollback',
    'LowDesiredVersion',
    `${target.text} is less than the current target ${current.text}, and ${only}`,
  )
}

const giantHop: Check = ({ clusterVersion: { status }, release }) => {
  const distance = minorsTo(status?.desired.version, release)
  if (distance === undefined || distance <= 1) return undefined
  const message = `${release.version} has a version more than one minor ahead of ${status?.desired.version ?? ''}`
  return blocking('ClusterVersionGiantHop', 'MinorVersionClusterUpdateNotSupported', message)
}

/** An objection counts for the next minor only. */
const upgradeable: Check = ({ clusterVersion: { status }, release }) => {
  if ((minorsTo(status?.desired.version, release) ?? 0) < 1 || !isFalse(status?.conditions, 'Upgradeable')) return undefined
  const { reason = 'NotUpgradeable', message = '' } = findCondition(status?.conditions, 'Upgradeable') ?? {}
  return blocking('ClusterVersionUpgradeable', reason, message)
}

const recommended: Check = ({ clusterVersion: { spec, status }, release }) => {
  const risky = status?.conditionalUpdates?.find((update) => update.release.version === release.version)
  const isOffered = status?.availableUpdates?.some(({ version }) => version === release.version) === true
  if (isOffered && risky === undefined) return undefined
  const about = `Update from ${status?.desired.version ?? ''} to ${release.version}`
  const check = (reason: string, message: string): FailedCheck => ({
    name: 'ClusterVersionRecommendedUpdate',
    reason,
    message,
    isBlocking: false,
  })
  if (risky !== undefined)
    return check('NotRecommended', `${about} is not recommended:\n\n${risky.risks.map(({ message }) => message).join('\n')}`)
  if ((spec.channel ?? '') === '')
    return check(
      'NoChannel',
      `Configured channel is unset, so the recommended status of updating from ${status?.desired.version ?? ''} to ${release.version} is unknown.`,
    )
  return check('UnknownUpdate', `${about} cannot be found in the channel ${spec.channel ?? ''}, so it may not be recommended.`)
}

const asAsked: Check = ({ injections }) => {
  const precondition = injected(injections, 'precondition')
  if (precondition === undefined) return undefined
  return blocking('EtcdRecentBackup', precondition.reason ?? 'ControllerStarted', 'RecentBackup: no recent backup of etcd has been found')
}

function blocking(name: string, reason: string, message: string): FailedCheck {
  return { name, reason, message, isBlocking: true }
}

function minorsTo(current: string | undefined, { version }: Release): number | undefined {
  const [from, to] = [tryParseVersion(current), tryParseVersion(version)]
  return from === undefined || to === undefined || !hasCountedMinor(from) || !hasCountedMinor(to) ? undefined : minorDistance(from, to)
}
