import { HostedCluster, Secret } from '@windlass/api'
import type { HostedControlPlane } from '@windlass/api'
import { isTrue, tryParseVersion } from '@windlass/core'
import { ensure, patch, refOf } from '@windlass/kube'
import type { Action } from '@windlass/kube'
import { componentsOf } from '../components/index.ts'
import { capiClusterActions } from './cluster-api.ts'
import { desiredControlPlane, propagate } from './control-plane.ts'
import {
  additionalTrustBundle,
  auditWebhookSync,
  globalConfigSync,
  pullSecretSync,
  secretEncryptionSync,
  serviceAccountSigningKey,
  sshKeySync,
  unmanagedEtcdTls,
} from './copies.ts'
import { kubeconfigAndPasswordSync } from './copies-back.ts'
import { platformCredentials } from './credentials.ts'
import { ownerReferenceTo } from './defaults.ts'
import { infrastructureActions } from './infrastructure.ts'
import { namespaceOperation } from './namespace.ts'
import { networkPolicies } from './network-policies.ts'
import { outcome } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { kubevirtStorageAccess, rbac } from './rbac.ts'
import { controlPlaneImageOf, releaseAt } from './release-images.ts'
import type { Seen } from './seen.ts'
import { Annotation, Label } from './wire.ts'

/**
 * How much depends on an operation.
 *
 * - `critical`: when it fails, what is `blocked` by that does not run any more.
 * - `non-critical`: its errors are told; nothing waits for it.
 * - `blocked`: does not run after a critical failure.
 */
export type OperationClass = 'critical' | 'non-critical' | 'blocked'

/** What operations work on: what was seen, and the control plane as it should be. */
export interface Work extends Seen {
  readonly desired: HostedControlPlane
  /** As this pass will have written it. */
  readonly ignitionEndpoint: string | undefined
}

interface Operation {
  readonly name: string
  readonly class: OperationClass
  readonly decide: (work: Work) => Outcome
}

/** All operations, in order. */
const operations: readonly Operation[] = [
  { name: 'CPOImageAndNamespace', class: 'critical', decide: namespaceOperation },
  { name: 'PlatformCredentials', class: 'critical', decide: platformCredentials },
  { name: 'PullSecretSync', class: 'critical', decide: pullSecretSync },
  { name: 'SecretEncryptionSync', class: 'critical', decide: secretEncryptionSync },
  { name: 'RestoredFromBackup', class: 'non-critical', decide: restoredFromBackup },
  { name: 'AuditWebhookSync', class: 'non-critical', decide: auditWebhookSync },
  { name: 'SSHKeySync', class: 'non-critical', decide: sshKeySync },
  { name: 'AdditionalTrustBundle', class: 'non-critical', decide: additionalTrustBundle },
  { name: 'ServiceAccountSigningKey', class: 'non-critical', decide: serviceAccountSigningKey },
  { name: 'UnmanagedEtcdMTLS', class: 'non-critical', decide: unmanagedEtcdTls },
  { name: 'GlobalConfigSync', class: 'non-critical', decide: globalConfigSync },
  { name: 'CoreHCPChain', class: 'critical', decide: coreChain },
  { name: 'KubeconfigAndPasswordSync', class: 'blocked', decide: (work) => kubeconfigAndPasswordSync(work, work.controlPlane) },
  { name: 'PlatformOIDCAndCSI', class: 'blocked', decide: (work) => outcome({ actions: kubevirtStorageAccess(work) }) },
  { name: 'MonitoringAndCLISecrets', class: 'blocked', decide: adoptSecrets },
  { name: 'ReleaseImageVersion', class: 'critical', decide: releaseImageVersion },
  { name: 'OperatorDeployments', class: 'blocked', decide: operatorDeployments },
  { name: 'RBACAndPolicies', class: 'blocked', decide: (work) => outcome({ actions: [...rbac(work), ...networkPolicies(work)] }) },
]

/** An operation of one pass. */
export interface PlannedOperation extends Outcome {
  readonly name: string
  readonly class: OperationClass
  /** It was left out because something critical failed before. */
  readonly isBlocked: boolean
}

/** Runs through all operations. A critical failure leaves out what is blocked by it; everything else is decided. */
export function planOperations(seen: Seen, ignitionEndpoint: string | undefined): readonly PlannedOperation[] {
  const work: Work = { ...seen, desired: desiredControlPlane(seen), ignitionEndpoint }
  const planned: PlannedOperation[] = []
  let hasFailed = false
  for (const { name, class: kind, decide } of operations) {
    const isBlocked: boolean = kind === 'blocked' && hasFailed
    const result: Outcome = isBlocked ? outcome({}) : decide(work)
    hasFailed ||= kind === 'critical' && result.problems.length > 0
    planned.push({ ...result, name, class: kind, isBlocked })
  }
  return planned
}

/** The control plane first: the other two refer to it. */
function coreChain(work: Work): Outcome {
  const { objects, cluster, desired, ignitionEndpoint } = work
  return outcome({
    actions: [
      ...propagate(work, desired),
      ...infrastructureActions(objects, cluster, desired, ignitionEndpoint),
      ...capiClusterActions(work, ignitionEndpoint),
    ],
  })
}

/** A restore is over: what asked for it goes, from here and then from the control plane. */
function restoredFromBackup({ cluster, controlPlane }: Work): Outcome {
  const isAsked = cluster.metadata.annotations?.[Annotation.restoredFromBackup] !== undefined
  if (!isAsked || !isTrue(controlPlane?.status?.conditions, 'HostedClusterRestoredFromBackup')) return outcome({})
  const change = { metadata: { annotations: { [Annotation.restoredFromBackup]: null } } }
  return outcome({ actions: [patch(HostedCluster, refOf(cluster), change, 'the control plane has been restored')] })
}

/** Secrets that a command line made for the cluster go with it, if they say that they may. */
function adoptSecrets({ cluster, objects }: Work): Outcome {
  const { namespace = '', uid } = cluster.metadata
  const labels = { [Label.deletedWithCluster]: 'true', [Label.madeForInfra]: cluster.spec.infraID ?? '' }
  const orphans = objects
    .list(Secret, { namespace, labels })
    .filter(({ metadata }) => metadata.ownerReferences?.some((reference) => reference.uid === uid) !== true)
  const actions: readonly Action[] = orphans.map(({ metadata: { name = '' } }) =>
    ensure(
      Secret,
      { metadata: { name, namespace, ownerReferences: [ownerReferenceTo(cluster)] } },
      'it was made for the cluster and goes with it',
    ),
  )
  return outcome({ actions })
}

/** A wrong version would give wrong Deployments, hence this stands before them. */
function releaseImageVersion({ cluster, releases }: Work): Outcome {
  const image = controlPlaneImageOf(cluster)
  const release = releaseAt(releases, image)
  if (release.is === 'failed') return outcome({ problems: [`release image is not available: ${release.problem}`] })
  if (tryParseVersion(release.value.version) !== undefined) return outcome({})
  return outcome({ problems: [`failed to parse release image version: ${image} says that it is "${release.value.version}"`] })
}

/** These components are run by the cluster's controller itself, not by the control plane's. */
function operatorDeployments({ desired }: Work): Outcome {
  return outcome({ components: componentsOf(desired, 'hosted-cluster') })
}
