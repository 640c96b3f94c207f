import { type ClusterVersion, UpgradeConfig } from '@windlass/api'
import { compareSemver, parseTime, tryParseVersion } from '@windlass/core'
import { patch, refOf } from '@windlass/kube'
import { currentVersion, isProgressingElsewhere } from '../cluster/cluster-version.ts'
import { isOffered } from '../cluster/update.ts'
import type { ConfigValues } from '../config/index.ts'
import { act, type Effect } from '../effects/effect.ts'
import { look, type Look } from '../observed/look.ts'
import type { Facts } from '../observed/facts.ts'
import { desiredVersion } from '../upgrade-config/history.ts'
import { isReachable } from './graph.ts'
import { parsePullspec } from './pullspec.ts'

/** What validation found. */
export type Validation =
  /** `version` is what the upgrade goes to; for an image, what was read from it. The effects write that into the spec. */
  | { readonly is: 'valid'; readonly version: string; readonly effects: readonly Effect[] }
  /** Nothing is wrong with it, and it cannot begin now. */
  | { readonly is: 'not available'; readonly why: string; readonly version: string; readonly effects: readonly Effect[] }
  /** An error is worth another try soon; what is merely invalid waits for somebody to edit it. */
  | { readonly is: 'invalid'; readonly why: string; readonly isError: boolean }

export interface ValidationView {
  readonly upgradeConfig: UpgradeConfig
  readonly config: ConfigValues
  readonly facts: Facts
}

/** Whether an UpgradeConfig asks for something that can be had. The first thing that is wrong is the one that is told. */
export function validate(view: ValidationView): Validation | Look {
  const { upgradeConfig, facts } = view
  const { upgradeAt, desired } = upgradeConfig.spec
  if (parseTime(upgradeAt) === undefined) {
    return error(`spec.upgradeAt is ${JSON.stringify(upgradeAt)}; expected a time as RFC 3339 writes it, like 2030-01-01T12:00:00Z`)
  }
  if ('problem' in facts.clusterVersion) return error(facts.clusterVersion.problem)
  const clusterVersion = facts.clusterVersion.value
  const { image = '', version = '', channel = '' } = desired
  if (image !== '') return validateImage(image, clusterVersion, view)
  if (version === '' && channel === '') return invalid('spec.desired names nothing: set an image, or a channel and a version')
  if (channel === '') return invalid(`spec.desired.channel is missing: version ${version} needs the channel that offers it`)
  if (version === '') return invalid(`spec.desired.version is missing: channel ${channel} offers many`)
  const problem = orderProblem(version, clusterVersion)
  if (problem !== undefined) return error(problem)
  if (isProgressingElsewhere(clusterVersion, version)) return settled(clusterVersion, version, [])
  if (channel !== (clusterVersion.spec.channel ?? '')) return validateInOtherChannel(channel, version, clusterVersion, view)
  if (isOffered(clusterVersion, version)) return { is: 'valid', version, effects: [] }
  return invalid(`version ${version} is not among the updates that the cluster version operator offers in channel ${channel}`)
}

/** Nothing goes back, and nothing goes to where it is. Plain semantic versions: here 5.0.0 is after every 4.y. */
function orderProblem(wanted: string, clusterVersion: ClusterVersion): string | undefined {
  const currentText = currentVersion(clusterVersion)
  if (currentText === undefined) return 'the cluster has no completed version in its history: nothing to upgrade from'
  const desired = tryParseVersion(wanted)
  const current = tryParseVersion(currentText)
  if (desired === undefined) return `spec.desired.version is ${JSON.stringify(wanted)}; expected three numbers, like 4.20.1`
  if (current === undefined)
    return `the current version ${JSON.stringify(currentText)} is no semantic version: nothing can be compared with it`
  const order = compareSemver(desired, current)
  if (order < 0) return `downgrades from ${currentText} to ${wanted} are unsupported`
  return order === 0 ? `the desired version ${wanted} matches the current version` : undefined
}

/** The cluster knows only what its own channel offers. The update service knows the others, if we may ask it; if not, the commence step finds out. */
function validateInOtherChannel(
  channel: string,
  version: string,
  clusterVersion: ClusterVersion,
  { config, facts }: ValidationView,
): Validation | Look {
  if (!config['validation.cincinnati']) return { is: 'valid', version, effects: [] }
  if (facts.updateGraph === undefined) return look('updateGraph')
  if ('problem' in facts.updateGraph) return error(facts.updateGraph.problem)
  const current = currentVersion(clusterVersion) ?? ''
  const answer = isReachable(facts.updateGraph.value, current, version)
  if (answer === undefined) return error(`cannot find version ${current}, which the cluster has, in channel ${channel}`)
  return answer
    ? { is: 'valid', version, effects: [] }
    : error(`cannot find version ${version} as an update of ${current} in channel ${channel}`)
}

/** An image is taken as it is; only its version is looked up, for everything else goes by that. */
function validateImage(image: string, clusterVersion: ClusterVersion, { upgradeConfig, facts }: ValidationView): Validation | Look {
  if (parsePullspec(image) === undefined) {
    return error(`spec.desired.image is ${JSON.stringify(image)}; expected registry/namespace/name@sha256:… with 64 digits`)
  }
  if (facts.imageVersion === undefined) return look('imageVersion')
  if ('problem' in facts.imageVersion) return error(facts.imageVersion.problem)
  const version = facts.imageVersion.value
  const reason = `its image is of version ${version}`
  const isWritten = version === desiredVersion(upgradeConfig)
  const effects = isWritten ? [] : [act(patch(UpgradeConfig, refOf(upgradeConfig), { spec: { desired: { version } } }, reason))]
  return isProgressingElsewhere(clusterVersion, version) ? settled(clusterVersion, version, effects) : { is: 'valid', version, effects }
}

/** One update at a time: the version operator would drop the one it is at. */
function settled({ status }: ClusterVersion, version: string, effects: readonly Effect[]): Validation {
  return { is: 'not available', why: `the cluster to finish going to ${status?.desired.version ?? 'another version'}`, version, effects }
}

function error(why: string): Validation {
  return { is: 'invalid', why, isError: true }
}

function invalid(why: string): Validation {
  return { is: 'invalid', why, isError: false }
}
