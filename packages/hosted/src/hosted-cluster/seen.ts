import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { controlPlaneImageOf as imageOfControlPlane } from '../components/index.ts'
import { platformCredentialsFound } from './credentials.ts'
import { versionCondition } from './copied-conditions.ts'
import { otherTenantOf } from './namespace.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import { controlPlaneOf } from './observed.ts'
import type { ObservedHostedCluster } from './observed.ts'
import type { Lookup } from './lookup.ts'
import { pauseOf } from './pause.ts'
import type { Pause } from './pause.ts'
import { progressing } from './progressing.ts'
import type { Prerequisites } from './progressing.ts'
import { validProxyConfiguration } from './proxy.ts'
import { controlPlaneImageOf, isSamePayload, releaseAt } from './release-images.ts'
import { validReleaseImage } from './release-validation.ts'
import { without } from './snapshot.ts'
import { supported } from './support.ts'
import { upgradeGate } from './upgrade-gate.ts'
import type { UpgradeVerdict } from './upgrade-gate.ts'
import { validConfiguration } from './validation.ts'
import type { Verdict } from './verdict.ts'
import { versionStatus } from './version.ts'
import type { VersionStatus } from './version.ts'
import { Annotation } from './wire.ts'

/** What a pass has made of what it observed: judged once, and used by the status, by the gates and by the operations. */
export interface Seen extends ObservedHostedCluster {
  readonly now: Instant
  readonly controlPlane: HostedControlPlane | undefined
  readonly pause: Pause
  readonly version: VersionStatus
  readonly controlPlaneVersion: NonNullable<HostedCluster['status']>['controlPlaneVersion']
  readonly prerequisites: Prerequisites
  readonly upgrade: UpgradeVerdict
  readonly progressing: Verdict
  readonly credentials: Verdict
  readonly proxy: Verdict
}

/**
 * What lives in the namespace of another cluster is not seen: it is neither reported as ours, nor touched, nor deleted. Only the check of the
 * configuration gets to know.
 */
export function look(everything: ObservedHostedCluster, now: Instant): Seen {
  const { cluster, releases } = everything
  const isTaken = otherTenantOf(cluster, everything.objects) !== undefined
  const observed = isTaken ? { ...everything, objects: without(controlPlaneNamespaceOf(cluster), everything.objects) } : everything
  const controlPlane = controlPlaneOf(observed)
  const pause = pauseOf(cluster.spec.pausedUntil, now)
  const version = versionStatus(cluster, controlPlane, now)
  const controlPlaneVersion = controlPlane === undefined ? cluster.status?.controlPlaneVersion : controlPlane.status?.controlPlaneVersion
  const prerequisites: Prerequisites = {
    SupportedHostedCluster: supported(observed),
    ValidConfiguration: validConfiguration(everything),
    ValidReleaseImage: validReleaseImage(observed, { version, controlPlaneVersion }),
    ReconciliationActive: pause.active,
  }
  const target = controlPlaneImageOf(cluster)
  const release = releaseAt(releases, target)
  const upgrade = upgradeGate({
    version,
    isAtTarget: isSamePayload(releases, version.desired.image, target) || isPassedOn(controlPlane, target, release),
    conditions: [{ type: 'ClusterVersionUpgradeable', ...versionCondition(controlPlane, 'ClusterVersionUpgradeable') }],
    forcedTo: cluster.metadata.annotations?.[Annotation.forceUpgradeTo],
    target,
    release,
    controlPlaneRelease: cluster.spec.controlPlaneRelease,
  })
  return {
    ...observed,
    now,
    controlPlane,
    pause,
    version,
    controlPlaneVersion,
    prerequisites,
    upgrade,
    progressing: progressing(cluster, releases, prerequisites, upgrade, version),
    credentials: platformCredentialsFound(observed),
    proxy: validProxyConfiguration(observed, now),
  }
}

/**
 * Nobody can tell whether a tag is the digest that the guest runs while registries cannot be asked. The control plane has been asked for this very
 * release already, so that no upgrade begins now.
 */
function isPassedOn(controlPlane: HostedControlPlane | undefined, target: string, release: Lookup<unknown>): boolean {
  return release.is === 'failed' && controlPlane !== undefined && imageOfControlPlane(controlPlane) === target
}
