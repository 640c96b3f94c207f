import type { HostedCluster } from '@windlass/api'
import { controlPlaneImageOf, isSamePayload, releaseAt } from './release-images.ts'
import type { Releases } from './release-images.ts'
import type { UpgradeVerdict } from './upgrade-gate.ts'
import { isNot } from './verdict.ts'
import type { Verdict } from './verdict.ts'
import type { VersionStatus } from './version.ts'

/** Conditions that keep a cluster from going on, in the order in which they are told. */
export interface Prerequisites {
  readonly SupportedHostedCluster: Verdict
  readonly ValidConfiguration: Verdict
  readonly ValidReleaseImage: Verdict
  readonly ReconciliationActive: Verdict
}

const blocked = (message: string): Verdict => isNot('Blocked', message)

/**
 * The condition Progressing.
 *
 * Caveat: True only means that the guest has not taken up the release that is asked for. It is False during most of an installation and most of a
 * rollout; `controlPlaneVersion` tells when those are complete.
 */
export function progressing(
  cluster: HostedCluster,
  releases: Releases,
  prerequisites: Prerequisites,
  upgrade: UpgradeVerdict,
  version: VersionStatus | undefined,
): Verdict {
  const release = releaseAt(releases, controlPlaneImageOf(cluster))
  if (release.is === 'failed') return blocked(release.problem)
  for (const type of ['SupportedHostedCluster', 'ValidConfiguration', 'ValidReleaseImage', 'ReconciliationActive'] as const) {
    const { status, message } = prerequisites[type]
    if (status === 'False') return blocked(`${type} condition is false: ${message}`)
  }
  if (upgrade.is === 'blocked') return blocked(`ClusterVersionUpgradeable condition is false: ${upgrade.message}`)
  if (version !== undefined && isSamePayload(releases, version.desired.image, cluster.spec.release.image)) {
    return isNot('AsExpected', 'HostedCluster is at expected version')
  }
  return { status: 'True', reason: 'Progressing', message: `The guest has not taken up release ${cluster.spec.release.image} yet` }
}
