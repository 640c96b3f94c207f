import { findCondition, isSameStream, tryParseVersion } from '@windlass/core'
import type { ConditionLike, Version } from '@windlass/core'
import type { HostedCluster } from '@windlass/api'
import type { Release } from '../releases/index.ts'
import type { Lookup } from './lookup.ts'
import type { VersionStatus } from './version.ts'

/** All that the gate looks at. */
export interface UpgradeRequest {
  /** `status.version`; undefined on a cluster that nobody has looked at yet. */
  readonly version: Pick<VersionStatus, 'desired'> | undefined
  /** Whether the guest runs the release that is asked for, as a text or by digest. */
  readonly isAtTarget: boolean
  /** Conditions of the cluster, with ClusterVersionUpgradeable among them or not. */
  readonly conditions: readonly ConditionLike[]
  /** The value of the annotation that forces an upgrade. */
  readonly forcedTo: string | undefined
  /** The release of the control plane, as it is asked for. */
  readonly target: string
  readonly release: Lookup<Pick<Release, 'version'>>
  readonly controlPlaneRelease: HostedCluster['spec']['controlPlaneRelease']
}

export type UpgradeVerdict =
  | { readonly is: 'not-upgrading' }
  | { readonly is: 'allowed' }
  | { readonly is: 'blocked'; readonly message: string }

const notUpgrading: UpgradeVerdict = { is: 'not-upgrading' }
const allowed: UpgradeVerdict = { is: 'allowed' }
const blocked = (message: string): UpgradeVerdict => ({ is: 'blocked', message })

type Row = (request: UpgradeRequest) => UpgradeVerdict | undefined

/** The first row that has something to say decides. */
const rows: readonly Row[] = [
  ({ version, isAtTarget }) => (version === undefined || isAtTarget ? notUpgrading : undefined),
  ({ conditions }) => (['True', undefined].includes(findCondition(conditions, 'ClusterVersionUpgradeable')?.status) ? allowed : undefined),
  ({ forcedTo, target }) => (forcedTo === target ? allowed : undefined),
  ({ forcedTo }) =>
    forcedTo === undefined ? undefined : blocked('force upgrade annotation is present but does not match desired release image'),
  ({ controlPlaneRelease }) => (controlPlaneRelease === undefined ? undefined : allowed),
  (request) => (versionsOf(request) === undefined ? blocked(unreadable(request)) : undefined),
  (request) => {
    const { current, target } = versionsOf(request) ?? {}
    return current !== undefined && target !== undefined && isSameStream(current, target) ? allowed : undefined
  },
]

/**
 * Whether the control plane may go to another release now.
 *
 * What is surprising: Unknown blocks like False does, since a guest that cannot be asked has not agreed; and a left-over annotation that forces another
 * release blocks even the step to the next patch.
 */
export function upgradeGate(request: UpgradeRequest): UpgradeVerdict {
  for (const row of rows) {
    const verdict = row(request)
    if (verdict !== undefined) return verdict
  }
  return blocked('cluster version is not upgradeable')
}

function versionsOf({ version, release }: UpgradeRequest): { readonly current: Version; readonly target: Version } | undefined {
  const current = tryParseVersion(version?.desired.version)
  const target = release.is === 'found' ? tryParseVersion(release.value.version) : undefined
  return current === undefined || target === undefined ? undefined : { current, target }
}

function unreadable({ version, release, target }: UpgradeRequest): string {
  const current = version?.desired.version ?? ''
  if (tryParseVersion(current) === undefined)
    return `cluster version is not upgradeable, and its current version "${current}" cannot be read`
  const problem = release.is === 'failed' ? release.problem : `it says that it is "${release.value.version}"`
  return `cluster version is not upgradeable, and the version of ${target} cannot be read: ${problem}`
}
