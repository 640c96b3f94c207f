import type { HostedControlPlane } from '@windlass/api'
import type { Predicate } from './component.ts'
import {
  annotationOf,
  forwardsMetrics,
  hasIntegratedOAuth,
  hasManagedEtcd,
  hasNamedApiRoute,
  infraKubeconfigOf,
  isManagedAzure,
  isPrivate,
  machinePlatformOf,
  platformOf,
  unmodelled,
} from './control-plane.ts'
import type { Facts } from './control-plane.ts'
import { Annotation } from './wire.ts'

/** The words in which the registry says when a component runs. */

export const always: Predicate = () => true
export const never: Predicate = () => false

export const all =
  (...predicates: readonly Predicate[]): Predicate =>
  (hcp, facts) =>
    predicates.every((predicate) => predicate(hcp, facts))

export const on =
  (...platforms: readonly string[]): Predicate =>
  (hcp) =>
    platforms.includes(platformOf(hcp))

export const notOn =
  (...platforms: readonly string[]): Predicate =>
  (hcp) =>
    !platforms.includes(platformOf(hcp))

/** Presence counts, whatever the value. */
export const notAnnotated =
  (annotation: string): Predicate =>
  (hcp) =>
    annotationOf(hcp, annotation) === undefined

export const secretExists =
  (name: string | ((hcp: HostedControlPlane) => string)): Predicate =>
  (hcp, facts) =>
    facts.secrets.has(typeof name === 'string' ? name : name(hcp))

export const capabilityIsOn =
  (capability: 'NodeTuning' | 'Ingress' | 'ImageRegistry'): Predicate =>
  (hcp) =>
    hcp.spec.capabilities?.disabled?.includes(capability) !== true

export const kubeconfigIsKnown: Predicate = (hcp) => hcp.status?.kubeConfig !== undefined
export const infraKubeconfigExists = secretExists(infraKubeconfigOf)
export const adminKubeconfigExists = secretExists('service-network-admin-kubeconfig')
export const etcdIsManaged: Predicate = hasManagedEtcd
export const oauthIsIntegrated: Predicate = hasIntegratedOAuth
export const metricsAreForwarded: Predicate = forwardsMetrics
export const secretsAreEncrypted: Predicate = (hcp) => hcp.spec.secretEncryption !== undefined
export const machinesAreManaged = notAnnotated(Annotation.disableMachineManagement)
export const platformHasProvider: Predicate = (hcp) => !['None', 'IBMCloud'].includes(machinePlatformOf(hcp))
export const karpenterMakesNodes: Predicate = (hcp) => hcp.spec.autoNode?.provisionerConfig.name === 'Karpenter'

export const kubevirtProvidesStorage: Predicate = (hcp) => hcp.spec.platform.kubevirt?.storageDriver?.type !== 'None'

/** Announcements of interruptions arrive in a queue; reading it needs the role that manages machines. */
export const interruptionsAreQueued: Predicate = (hcp) => {
  const { aws } = hcp.spec.platform
  const queue = aws?.terminationHandlerQueueURL ?? annotationOf(hcp, Annotation.terminationQueue) ?? ''
  return queue !== '' && (aws?.rolesRef.nodePoolManagementARN ?? '') !== ''
}

export const catalogsRunHere: Predicate = (hcp) =>
  (hcp.spec.olmCatalogPlacement ?? 'management') === 'management' &&
  unmodelled(hcp.spec.configuration, 'operatorHub', 'disableAllDefaultSources') !== true

/** The control plane serves its Routes itself where they are private or have a name of their own. */
export const routesAreServedHere: Predicate = (hcp, facts) => {
  if (platformOf(hcp) === 'IBMCloud' || !(isPrivate(hcp) || hasNamedApiRoute(hcp))) return false
  if (isManagedAzure(hcp)) routesMustExist(hcp, facts)
  return true
}

/** A router that starts before its Routes exist would come up with half a configuration and keep it. */
function routesMustExist(hcp: HostedControlPlane, facts: Facts): void {
  const expected = [
    'kube-apiserver-internal',
    'konnectivity-server',
    'ignition-server',
    ...(hasIntegratedOAuth(hcp) ? ['oauth-internal'] : []),
    ...(forwardsMetrics(hcp) ? ['metrics-proxy'] : []),
  ]
  const missing = expected.filter((route) => !facts.routes.has(route))
  if (missing.length > 0) throw new Error(`waiting for Routes that the router serves to have a host: ${missing.join(', ')}`)
}
